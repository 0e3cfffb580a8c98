import { AcceptedAsset, AccountId, asText, hourMs, minuteMs, secondMs, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type LedgerGateway, readContract } from '@quittance/ledger'
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network } from '../../services/services.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { doctor } from './doctor.ts'
import { examineSigners } from './examine-signers.ts'

describe('the doctor', () => {
  let shop: StoreFront
  let wasmHash: string
  beforeAll(async () => {
    shop = await openStoreFront()
    const { gateway, mandateContract } = present(shop.services.networks.testnet)
    wasmHash = present(present(await done(readContract(gateway)(present(mandateContract)))).code).sha256
  })
  afterAll(() => shop.close())

  /** What is found on a network that sets nothing up by itself, as real ones are. */
  const examined = async (changed: Partial<Network> = {}, expected = wasmHash) => {
    const network = { ...present(shop.services.networks.testnet), provision: null, ...changed }
    const services = { ...shop.services, networks: { testnet: network, mainnet: null } }
    const found = await done(doctor(services).examine({ wasmHash: expected, readToml: null }))
    return found.map(({ level, code, subject }) => `${level} ${code} ${subject}`)
  }
  const gatewayWith = (changed: Partial<LedgerGateway>): LedgerGateway => ({
    ...present(shop.services.networks.testnet).gateway,
    ...changed,
  })
  const withoutOperator = 'error operator_not_created null'

  it('finds a missing or unfunded operator account, and nothing once it is funded', async () => {
    expect(await examined()).toEqual([withoutOperator])
    const { account } = await done(shop.billing.operator.create('testnet'))
    expect(await examined()).toEqual([`error operator_missing ${account}`])
    shop.wallets.act(shop.payer.secret, [Operation.createAccount({ destination: account, startingBalance: '1.5' })])
    expect(await examined()).toEqual([`error operator_underfunded ${account}`])
    shop.wallets.act(shop.payer.secret, [
      Operation.payment({ destination: account, asset: Asset.native(), amount: '5' }),
    ])
    expect(await examined()).toEqual([])
  })

  it('finds what the operator has frozen', async () => {
    const why = { by: asText('Ada'), reason: asText('a key was stolen') }
    const frozen = [
      { scope: 'sales', merchantId: shop.merchantId, ...why },
      { scope: 'payouts', merchantId: null, ...why },
    ] as const
    for (const each of frozen) await done(shop.billing.freezes.freeze(each))
    const found = (await examined()).filter((each) => each.includes('frozen'))
    expect(found).toEqual([`error frozen ${shop.merchantId}`, 'warning frozen null'])
    for (const each of frozen) await done(shop.billing.freezes.unfreeze(each))
  })

  it('warns about channel accounts that the ledger does not hold, or that hold too little', async () => {
    const [first, second] = await done(shop.billing.channels.create('testnet', 2))
    const [one, other] = [present(first).account, present(second).account]
    shop.wallets.act(shop.payer.secret, [Operation.createAccount({ destination: one, startingBalance: '1.05' })])
    expect(await examined()).toEqual([`warning channel_underfunded ${one}`, `warning channel_missing ${other}`])
    for (const [account, amount] of [
      [one, '5'],
      [other, null],
    ] as const)
      shop.wallets.act(shop.payer.secret, [
        amount === null
          ? Operation.createAccount({ destination: account, startingBalance: '5' })
          : Operation.payment({ destination: account, asset: Asset.native(), amount }),
      ])
    expect(await examined()).toEqual([])
  })

  it('reports only an unreachable node, or a node that is a minute behind', async () => {
    const silent = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }
    expect(await examined({ gateway: gatewayWith({ latestLedger: () => TE.left(silent) }) })).toEqual([
      'error node_unreachable null',
    ])
    const head = await done(present(shop.services.networks.testnet).gateway.latestLedger())
    const closed = (ms: number) => {
      const closedAt = unixMs(shop.services.clock.now('testnet') - ms)
      return { gateway: gatewayWith({ latestLedger: () => TE.right({ ...head, closedAt }) }) }
    }
    expect(await examined(closed(minuteMs + 1))).toEqual(['error node_behind null'])
    expect(await examined(closed(minuteMs))).toEqual([])
  })
  it('finds a mandate contract that is not configured, not on the ledger, or runs other code', async () => {
    const { mandateContract } = present(shop.services.networks.testnet)
    const { usdc, xlm, eurc } = shop.network
    expect(await examined({ mandateContract: null })).toEqual(['warning contract_not_configured null'])
    const entries: LedgerGateway['entries'] = () => async () =>
      E.right({ entries: new Map(), asOf: (await done(shop.network.gateway.latestLedger())).sequence })
    expect(await examined({ gateway: gatewayWith({ entries }) })).toEqual([
      `error contract_missing ${mandateContract}`,
      ...[usdc, xlm, eurc].map(({ assetId }) => `warning token_missing ${assetId}`),
    ])
    expect(await examined({}, 'f'.repeat(64))).toEqual([`error contract_differs ${mandateContract}`])
  })

  it('finds assets without a rate, as errors if merchants sell in them by default', async () => {
    shop.network.rates.isOut = true
    const { usdc, xlm, eurc } = shop.network
    expect(await examined()).toEqual([
      `error no_rate ${usdc.assetId}`,
      `warning no_rate ${xlm.assetId}`,
      `warning no_rate ${eurc.assetId}`,
    ])
    shop.network.rates.isOut = false
    shop.network.wait(hourMs)
    const gold = decoded(AcceptedAsset, { assetId: usdc.assetId, description: 'Gold', pegged: false })
    expect(await examined({ assets: [gold] })).toEqual([])
  })

  it('finds merchants who cannot be paid, and says what to do', async () => {
    const [code, issuer] = shop.network.usdc.assetId.split(':')
    const asset = new Asset(present(code), issuer)
    shop.wallets.act(await shop.seedOf(shop.merchantId), [Operation.changeTrust({ asset, limit: '0' })])
    expect(await examined()).toEqual([`error trustline_missing ${shop.merchantId}`])
    const network = { ...present(shop.services.networks.testnet), provision: null }
    const services = { ...shop.services, networks: { testnet: network, mainnet: null } }
    expect(await done(doctor(services).examine({ wasmHash, readToml: null }))).toEqual([
      {
        environment: 'testnet',
        code: 'trustline_missing',
        level: 'error',
        subject: shop.merchantId,
        message: `The settlement account has no trustline for ${shop.network.usdc.assetId}.`,
        remedy: `Have the service set the trustline: quittance merchant setup --merchant ${shop.merchantId} --environment testnet`,
      },
    ])
    shop.wallets.act(await shop.seedOf(shop.merchantId), [Operation.changeTrust({ asset })])
    shop.network.wait(secondMs)
    expect(await examined()).toEqual([])
  })

  it('finds a key that is not ours, and a recovery signer that was removed, and on the mainnet its lack', async () => {
    const { account, merchantId } = shop
    const [recovery, thief] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
    const weighing = (key: string, weight: number) =>
      Operation.setOptions({ source: account, signer: { ed25519PublicKey: key, weight } })
    const signer = decoded(AccountId, recovery)
    const holder = { _tag: 'settlement' as const, merchantId }
    await done(shop.billing.accountRecovery.set('testnet', holder, { signer, isProtected: false }))
    for (let ledgers = 0; ledgers < 3; ledgers++) {
      await shop.step()
      shop.network.wait(5_000)
    }
    await shop.step()
    expect(await examined()).toEqual([])
    shop.wallets.act(await shop.seedOf(merchantId), [weighing(thief, 1), weighing(recovery, 0)])
    expect(await examined()).toEqual([`error foreign_signer ${account}`, `error recovery_signer_removed ${account}`])
    // As if the sandbox were the mainnet, where nothing was recorded about the account.
    const { watchedAccounts } = shop.services.readModels
    const rows = (await watchedAccounts.all()).map((found) => ({
      ...found,
      row: { ...found.row, environment: 'mainnet' as const },
    }))
    const readModels = { ...shop.services.readModels, watchedAccounts: { ...watchedAccounts, all: async () => rows } }
    const network = { ...present(shop.services.networks.testnet), provision: null }
    const found = await examineSigners({ ...shop.services, readModels }, network, 'mainnet')
    expect(found).toMatchObject({ right: [{ code: 'foreign_signer' }, { code: 'recovery_signer_missing', account }] })
  })
})
