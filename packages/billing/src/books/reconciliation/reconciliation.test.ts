import { type AccountId, type AssetId, LedgerSequence, type Stroops, stroops } from '@quittance/domain'
import { decoded, exampleCredit } from '@quittance/domain/testing'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { openException } from '../../features/payments/open-exception.ts'
import type { Services } from '../../services/services.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { withoutChannels } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import { reconcile } from './reconcile.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let secret: string
let xlm: AssetId
let usdc: AssetId
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  secret = await front.seedOf(front.merchantId)
  xlm = front.network.xlm.assetId
  usdc = front.network.usdc.assetId
})
afterEach(() => front.close())

const firstLedger = decoded(LedgerSequence, 1)
/** The books against the ledger from the first ledger on, as far as it was ingested. */
const reconciled = (services: Services = front.services, from = firstLedger) =>
  done(reconcile(services, 'testnet', { from, to: null, merchantId: null }))
const changes = async () =>
  (await front.exceptions()).flatMap(({ kind, assetId, amount, change }) =>
    kind === 'unexplained' ? [{ assetId, amount, ...change }] : [],
  )
const withdraw = (asset: AssetId, ...parts: ReadonlyArray<Stroops>) =>
  front.wallets.payFrom(secret, { to: front.other.account, asset, parts, memo: null })
const issuedBy = (account: AccountId) => ({ asset: new Asset('CLAW', account), assetId: `CLAW:${account}` })

describe('explaining a change of a settlement account', () => {
  it('explains a change by its payment, exception, refund, return or fee', async () => {
    const payment = await refunds.paid()
    front.payer.pay({ to: front.account, asset: usdc, parts: [units(2)], memo: 'for nothing of yours' })
    const ownFees = {
      ...front.services,
      networks: { testnet: withoutChannels(present(front.services.networks.testnet)), mainnet: null },
    }
    const worker = present(createWorker(ownFees, 'testnet', () => undefined))
    const refund = await done(refunds.request(payment))
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      await done(worker.step)
      front.network.wait(1000)
    }
    await done(worker.step)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect(worker.named()).toMatchObject({ payment: 0, refund: 1, unexplained: 0 })
    expect(worker.named().fee).toBeGreaterThan(0)
    const found = await reconciled()
    expect(found).toMatchObject({
      named: { payment: 1, exception: 1, refund: 1, return: 1, fee: worker.named().fee, unexplained: 0 },
      unexplained: [],
      missing: [],
      isHeld: true,
      isOk: true,
    })
    expect(found.named.set_up).toBeGreaterThan(0)
    expect(found.accounts.map(({ assetId, difference }) => [assetId, difference])).toContainEqual([usdc, 0n])
    expect(await changes()).toEqual([])
  })

  it("explains the merchant's own withdrawal and its fee by an exception", async () => {
    const transactionHash = withdraw(xlm, units(5), units(2))
    await front.step()
    const fee = 200n
    expect(await changes()).toEqual([
      {
        assetId: xlm,
        amount: units(7) + fee,
        account: front.account,
        direction: 'loss',
        movements: ['fee', 'payment'],
      },
    ])
    const { unexplained, named, isOk } = await reconciled()
    expect({ unexplained, isOk }).toMatchObject({
      unexplained: [{ transactionHash, delta: -units(7) - fee, exception: expect.stringMatching(/^exc_/) }],
      isOk: true,
    })
    expect(named.unexplained).toBe(3)
  })

  it('explains a trade by an exception for each asset, and reuses the one of the gain', async () => {
    front.wallets.exchange(secret, xlm, usdc, units(10), 'a trade')
    await front.step()
    expect(await changes()).toMatchObject([{ assetId: xlm, direction: 'loss', movements: ['fee', 'path_payment'] }])
    expect(await front.exceptionsOf(null)).toContainEqual({ kind: 'unmatched', amount: units(10) })
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it('explains a taken offer of the account by an exception', async () => {
    await refunds.paid()
    const sale = { selling: new Asset('USDC', usdc.split(':')[1]), buying: Asset.native(), amount: '10', price: '4' }
    front.wallets.act(secret, [Operation.manageSellOffer(sale)])
    front.wallets.exchange(front.other.secret, xlm, usdc, units(3), 'taken')
    await front.step()
    expect(await changes()).toContainEqual(
      expect.objectContaining({ direction: 'loss', assetId: usdc, movements: ['trade'] }),
    )
    expect(await changes()).toContainEqual(
      expect.objectContaining({ direction: 'gain', assetId: xlm, movements: ['trade'] }),
    )
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it('explains a clawback by an exception', async () => {
    const issuer = await front.wallets.bareWallet(71)
    const { asset, assetId } = issuedBy(issuer.account)
    // Clawback enabled, and what it takes: revocable.
    front.wallets.act(issuer.secret, [Operation.setOptions({ setFlags: 10 })])
    front.wallets.trust(secret, front.wallets.assetNamed(assetId))
    const pay = { to: front.account, asset: front.wallets.assetNamed(assetId), parts: [units(9)], memo: null }
    issuer.pay(pay)
    front.wallets.act(issuer.secret, [Operation.clawback({ asset, from: front.account, amount: '4' })])
    await front.step()
    expect(await changes()).toContainEqual({
      assetId,
      amount: units(4),
      account: front.account,
      direction: 'loss',
      movements: ['clawback'],
    })
    const found = await reconciled()
    expect(found).toMatchObject({ isOk: true })
    expect(found.accounts).toContainEqual({
      account: front.account,
      assetId,
      books: units(5),
      ledger: units(5),
      difference: 0n,
    })
  })

  it('explains a change in its own ledger and once, even one stroop and however often that ledger is ingested', async () => {
    await refunds.paid()
    const before = present(await done(front.services.cursors.of('testnet').load()))
    withdraw(usdc, stroops(1n))
    await front.step()
    const taken = { assetId: usdc, amount: 1n, account: front.account, direction: 'loss', movements: ['payment'] }
    expect((await changes()).filter(({ assetId }) => assetId === usdc)).toEqual([taken])
    const end = await front.platform.logEnd()
    await front.services.cursors.move('testnet', before)
    await front.step()
    expect(await front.platform.logEnd()).toEqual(end)
    expect(
      await Array.fromAsync((await front.platform.shown()).unexplained.due('testnet', Number.MAX_SAFE_INTEGER)),
    ).toHaveLength(2)
  })
})

describe('reconciliation', () => {
  it('reports a change that has no exception', async () => {
    await refunds.paid()
    withdraw(usdc, stroops(1n))
    await front.step()
    const { readModels } = front.services
    const exceptions = { ...readModels.exceptions, page: async () => ({ rows: [], hasMore: false }) }
    const forgetful = { ...front.services, readModels: { ...readModels, exceptions } }
    const found = await reconciled(forgetful)
    expect(found.isOk).toBe(false)
    expect(found.unexplained).toContainEqual(expect.objectContaining({ assetId: usdc, delta: -1n, exception: null }))
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it('reports a book entry that the ledger does not hold, and the shortfall', async () => {
    const { id } = await front.sell()
    await front.pay(id, [units(10)])
    const { ledger, closedAt } = present(
      (await (await front.platform.shown()).payments.all())[0]?.row.incomingPayments[0],
    )
    const never = { ...exampleCredit, assetId: usdc, amount: stroops(5n), ledger, closedAt }
    const misfit = { kind: 'unmatched' as const, incoming: never, checkoutId: null, paymentId: null }
    await done(openException(front.services, front.scope, misfit))
    const found = await reconciled()
    expect(found).toMatchObject({ isOk: false, missing: [{ tag: 'exception', delta: 5n, ledger }], unexplained: [] })
    expect(found.accounts).toContainEqual(expect.objectContaining({ assetId: usdc, difference: -5n }))
  })

  it('reconciles an earlier range with the balances at its end', async () => {
    await refunds.paid()
    const to = present(await done(front.services.cursors.of('testnet').load())).sequence
    await front.pay(null, [units(4)])
    const found = await done(reconcile(front.services, 'testnet', { from: to, to, merchantId: front.merchantId }))
    expect(found).toMatchObject({ from: to, to, movements: 1, isHeld: true, isOk: true })
    expect(found.accounts).toContainEqual(
      expect.objectContaining({ assetId: usdc, books: units(10), ledger: units(10) }),
    )
  })

  it('refuses to reconcile ledgers that are not ingested, an empty range and an unknown merchant', async () => {
    await front.step()
    const ingestedTo = present(await done(front.services.cursors.of('testnet').load())).sequence
    const later = decoded(LedgerSequence, ingestedTo + 1)
    const all = { from: firstLedger, to: null, merchantId: null }
    const refusal = (changed: object) => refused(reconcile(front.services, 'testnet', { ...all, ...changed }))
    expect(await refusal({ to: later })).toEqual({ _tag: 'LedgerNotWalked', walkedTo: ingestedTo })
    expect(await refusal({ from: later })).toEqual({ _tag: 'RangeEmpty', from: later, to: ingestedTo })
    expect(await refusal({ merchantId: 'mer_none' })).toEqual({ _tag: 'MerchantNotFound' })
  })
})
