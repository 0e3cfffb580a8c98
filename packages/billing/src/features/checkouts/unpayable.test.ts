import { asText, minuteMs, secondMs, stroops } from '@quittance/domain'
import { type EntriesAt, keyPairFromSeed, type LedgerGateway, tokenContractOf } from '@quittance/ledger'
import { Asset, Contract, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Billing, createBilling } from '../../face/billing.ts'
import type { Network } from '../../services/services.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { book, command, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const unreachable = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }

describe('checkouts whose settlement account cannot be paid', () => {
  let shop: StoreFront
  /** The same shop, as its service sees the ledger through a node that a test counts and silences. */
  let billing: Billing
  const node = { reads: 0, isSilent: false, sees: 'the ledger' as 'the ledger' | 'no account' }
  const seen = (changed: Partial<Network> = {}): Billing => {
    const network = { ...present(shop.services.networks.testnet), ...changed }
    const gateway: LedgerGateway = {
      ...network.gateway,
      accountView: (account, assets) => async () => {
        node.reads += 1
        if (node.isSilent) return E.left(unreachable)
        return node.sees === 'no account' ? E.right(null) : network.gateway.accountView(account, assets)()
      },
      entries: (keys) => (node.isSilent ? async () => E.left(unreachable) : network.gateway.entries(keys)),
    }
    return createBilling({ ...shop.services, networks: { testnet: { ...network, gateway }, mainnet: null } })
  }
  beforeEach(async () => {
    shop = await openStoreFront()
    billing = seen()
    Object.assign(node, { reads: 0, isSilent: false, sees: 'the ledger' })
  })
  afterEach(() => shop.close())

  const owner = () => ({ merchantId: shop.merchantId, environment: 'testnet', custody: 'service' })
  const usdc = () => shop.network.usdc.assetId
  const sell = (code = 'USDC', amount = '10') =>
    billing.checkouts.createDirect(
      command(shop.platform, shop.merchantId),
      { amount, amountCents: null },
      code,
      options(),
    )
  const trust = async (limit: bigint): Promise<void> => {
    const { secret } = await shop.services.vault.carriage.withSeed(
      settlementKey('testnet', shop.merchantId),
      keyPairFromSeed,
    )
    const [code, issuer] = usdc().split(':')
    const whole = `${limit / 10_000_000n}.${(limit % 10_000_000n).toString().padStart(7, '0')}`
    shop.wallets.act(secret, [Operation.changeTrust({ asset: new Asset(present(code), issuer), limit: whole })])
  }
  const cannot = (problem: object) => ({ _tag: 'CannotBePaid', owner: owner(), problem })

  it('sells when the settlement account can be paid, and asks the node once for all sales of half a minute', async () => {
    await done(sell())
    await done(sell('USD'))
    shop.network.wait(30 * secondMs - 1)
    await done(sell('XLM'))
    expect(node.reads).toBe(1)
    shop.network.wait(2 * secondMs)
    await done(sell())
    expect(node.reads).toBe(2)
  })

  it.each([
    ['has no trustline for its asset', () => trust(0n), 'trustline_missing'],
    [
      'is not authorised to hold its asset',
      async () => shop.network.sandbox.faults.set({ deauthorise: { account: shop.account, asset_id: usdc() } }),
      'trustline_not_authorized',
    ],
    ['has less room than its price', () => trust(99_999_999n), 'trustline_full'],
  ])('refuses checkouts as long as the settlement account %s', async (_, break_, code) => {
    await break_()
    shop.network.wait(secondMs)
    expect(await refused(sell())).toEqual(cannot({ code, assetId: usdc() }))
    const refusal = { environment: 'testnet', merchantId: shop.merchantId, code, since: shop.network.now() }
    shop.network.wait(secondMs)
    expect(await refused(sell())).toEqual(cannot({ code, assetId: usdc() }))
    expect(shop.services.seenAccounts.refused()).toEqual([refusal])
    shop.network.wait(60 * minuteMs)
    expect(shop.services.seenAccounts.refused()).toEqual([refusal])
    shop.network.wait(1)
    expect(shop.services.seenAccounts.refused()).toEqual([])
    expect(await refused(sell())).toEqual(cannot({ code, assetId: usdc() }))
    // Another asset is sold all the same.
    await done(sell('XLM'))
    expect(shop.services.seenAccounts.refused()).toMatchObject([{ merchantId: shop.merchantId, code }])
    if (code !== 'trustline_not_authorized') {
      await trust(units(10))
      await done(sell())
      expect(shop.services.seenAccounts.refused()).toEqual([])
    }
  })

  it('refuses checkouts when the settlement account does not exist, and says what it takes to create it', async () => {
    node.sees = 'no account'
    const missing = stroops(20_200_000n)
    const problem = cannot({ code: 'account_missing', account: shop.account, missing })
    expect(await refused(sell())).toEqual(problem)
    expect(await refused(sell('XLM'))).toEqual(problem)
    expect(node.reads).toBe(2)
  })

  it('sells for an hour after the last good check of the account while no node answers', async () => {
    node.isSilent = true
    expect(await refused(sell())).toEqual(unreachable)
    node.isSilent = false
    await done(sell())
    node.isSilent = true
    shop.network.wait(60 * minuteMs)
    await done(sell())
    shop.network.wait(1)
    expect(await refused(sell())).toEqual(unreachable)
  })

  it('does not refuse a repeated request for a checkout that was sold', async () => {
    const context = command(shop.platform, shop.merchantId)
    const price = { amount: '10', amountCents: null }
    const first = await done(billing.checkouts.createDirect(context, price, 'USDC', options()))
    await trust(0n)
    shop.network.wait(minuteMs)
    expect(await done(billing.checkouts.createDirect(context, price, 'USDC', options()))).toEqual(first)
  })

  it('stops offering an open checkout to payers once its account cannot be paid', async () => {
    const { id } = await done(sell('USD'))
    const quote = await done(billing.payer.quote(id))
    await trust(0n)
    // What was offered stands until its quote ends.
    expect(await done(billing.payer.quote(id))).toEqual(quote)
    // A transaction is built for what the ledger takes now, and for nothing else.
    expect(await refused(billing.payer.transaction(id, shop.payer.account))).toEqual({ _tag: 'PayeeCannotBePaid' })
    shop.network.wait(Date.parse(present(quote.valid_until)) - shop.network.now() + secondMs)
    // What is wrong is not the payer's affair.
    expect(await refused(billing.payer.quote(id))).toEqual({ _tag: 'PayeeCannotBePaid' })
    node.isSilent = true
    expect(await done(billing.payer.quote(id))).toMatchObject({ checkout_id: id, amount: '10' })
  })

  describe('subscription checkouts that cannot be collected', () => {
    const subscribe = async (through: Billing, assetId = usdc()) => {
      const sold = { ...book(assetId), name: asText('A club') }
      const product = { ...sold, type: 'subscription' as const, recurringPeriod: 'month' as const }
      const { id } = await done(shop.billing.products.create(command(shop.platform, shop.merchantId), product))
      return through.checkouts.createForProduct(command(shop.platform, shop.merchantId), id, options())
    }
    it('sells a subscription when its contract is on the ledger, and reads the contract once in five minutes', async () => {
      await done(await subscribe(billing))
      node.isSilent = true
      shop.network.wait(20 * secondMs)
      await done(await subscribe(billing))
    })
    it('refuses a subscription when its contract is not on the ledger', async () => {
      const { gateway } = present(shop.services.networks.testnet)
      const empty: LedgerGateway = {
        ...gateway,
        entries: () => async () => E.right({ entries: new Map(), asOf: (await done(gateway.latestLedger())).sequence }),
      }
      expect(await refused(await subscribe(seen({ gateway: empty })))).toEqual({
        _tag: 'CannotCollect',
        environment: 'testnet',
        because: 'contract_missing',
      })
    })
    it('refuses a subscription when its asset has no contract on the ledger, but sells another asset', async () => {
      const { gateway } = present(shop.services.networks.testnet)
      const { usdc: dollars, xlm } = shop.network
      const token = new Contract(tokenContractOf(dollars.assetId, gateway.networkPassphrase))
      const instance = token.getFootprint().toXdr('base64')
      const hidden: LedgerGateway = {
        ...gateway,
        entries: (keys) =>
          TE.map((found: EntriesAt) => ({
            ...found,
            entries: new Map([...found.entries].filter(([key]) => key !== instance)),
          }))(gateway.entries(keys)),
      }
      const through = seen({ gateway: hidden })
      expect(await refused(await subscribe(through))).toEqual({
        _tag: 'CannotCollect',
        environment: 'testnet',
        because: 'token_missing',
      })
      await done(await subscribe(through, xlm.assetId))
      expect(await refused(await subscribe(through))).toMatchObject({ because: 'token_missing' })
    })
    it('refuses a subscription until the operator has funded the account that collects', async () => {
      const unaided = seen({ provision: null })
      expect(await refused(await subscribe(unaided))).toEqual({ _tag: 'MandatesNotConfigured' })
      const { account } = await done(unaided.operator.create('testnet'))
      expect(await refused(await subscribe(unaided))).toEqual({
        _tag: 'CannotCollect',
        environment: 'testnet',
        because: 'operator_missing',
      })
      await done(shop.network.sandbox.fund({ address: account }))
      await done(await subscribe(unaided))
    })
  })
})
