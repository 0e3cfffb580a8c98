import { type AccountId, asText, BasisPoints, LedgerSequence, Memo, PayoutId, stroops } from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { createBilling } from '../../face/billing.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { backUp, restore } from '../../testing/restored.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { platformFeeSums } from './fee-sums.ts'

/** The accounts of the shop's wallets. */
const [anotherAccount, operatorAccount] = [1, 2].map((each) => keyPairFromSeed(new Uint8Array(32).fill(each)).accountId)

/** What the service is started with. */
let feeAccount: AccountId | null
let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
beforeEach(async () => {
  feeAccount = present(operatorAccount)
  front = await openStoreFront({}, (network) => ({ ...network, feeAccount }))
  payouts = payoutsIn(front)
  const fee = { basisPoints: decoded(BasisPoints, 1_000), fixed: [] }
  const decision = { fee, from: null, by: asText('Ada'), reason: asText('agreed') }
  await done(front.billing.platformFees.set(command(front.platform, front.merchantId), decision))
})
afterEach(() => front.close())

const collect = (minimum = 0n, on = front.billing) =>
  on.payouts.collectFees(command(front.platform, front.merchantId), stroops(minimum))
const collectedNow = async (): Promise<ReadonlyArray<string>> =>
  (await done(collect())).map((each) => ('payout' in each ? each.payout.amount : each.refused._tag))
const payingTo = (account: AccountId | null) => {
  const testnet = { ...present(front.services.networks.testnet), feeAccount: account }
  return createBilling({ ...front.services, networks: { ...front.services.networks, testnet } })
}
const balance = async () => {
  const { assetId } = front.network.usdc
  const found = (await done(front.billing.payouts.balance(front.scope))).find((each) => each.asset_id === assetId)
  const { ledger, available, in_flight, platform_fees } = present(found)
  return { ledger, available, in_flight, platform_fees }
}
const pass = async (ledgers = 4): Promise<void> => {
  for (let count = 0; count < ledgers; count++) {
    await front.step()
    front.network.wait(5_000)
  }
  await front.step()
}
const operatorHolds = () => payouts.holds(front.other.account)
const reconciled = () =>
  done(reconcile(front.services, 'testnet', { from: decoded(LedgerSequence, 1), to: null, merchantId: null }))

describe("the operator's fees", () => {
  it('stay in the account until they are collected, and no payout takes them', async () => {
    await payouts.earn(2)
    expect(await balance()).toEqual({ ledger: '20', available: '18', in_flight: '0', platform_fees: '2' })
    const destination = await payouts.destination()
    expect(await refused(payouts.request(destination, { amount: stroops(units(18) + 1n) }))).toEqual({
      _tag: 'BalanceTooLow',
      available: units(18),
    })
    const payout = await done(payouts.request(destination, { amount: 'all' }))
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded', amount: '18 USDC' })
    expect(await balance()).toEqual({ ledger: '2', available: '0', in_flight: '0', platform_fees: '2' })
  })

  it('are paid to the operator once, however often they are collected', async () => {
    await payouts.earn(2)
    const before = await operatorHolds()
    expect(await collectedNow()).toEqual(['2 USDC'])
    expect(await collectedNow()).toEqual([])
    expect(await balance()).toEqual({ ledger: '20', available: '18', in_flight: '2', platform_fees: '0' })
    await pass()
    expect(await collectedNow()).toEqual([])
    expect((await operatorHolds()) - before).toBe(units(2))
    expect(await balance()).toEqual({ ledger: '18', available: '18', in_flight: '0', platform_fees: '0' })
    expect(await payouts.list()).toMatchObject([{ purpose: 'platform_fee', status: 'succeeded' }])
    expect(await reconciled()).toMatchObject({ isOk: true, named: { payout: 1 }, unexplained: [], missing: [] })
  })

  it('are shown as booked, collected and owed', async () => {
    await payouts.earn(2)
    await done(collect())
    await pass()
    await payouts.earn(1)
    const { assetId } = front.network.usdc
    const request = { environment: 'testnet' as const, merchantId: front.merchantId, from: null, to: null }
    expect(await done(front.billing.usage(request))).toMatchObject([
      {
        payouts: [],
        platformFees: {
          booked: [{ assetId, count: 3, amount: units(3) }],
          collected: [{ assetId, count: 1, amount: units(2) }],
          owed: [{ assetId, amount: units(1) }],
        },
      },
    ])
    expect(await platformFeeSums({ readModels: await front.platform.shown() }, 'testnet')).toEqual([
      { assetId, booked: units(3), collected: units(2), owed: units(1) },
    ])
  })

  it('are collected from a minimum on, and without an account of the operator not at all', async () => {
    await payouts.earn(2)
    expect(await done(collect(units(2) + 1n))).toEqual([])
    expect(await refused(collect(0n, payingTo(null)))).toEqual({
      _tag: 'FeeAccountNotConfigured',
      environment: 'testnet',
    })
    expect(await done(collect(0n, payingTo(front.account)))).toMatchObject([
      { refused: { _tag: 'DestinationUnfit', reason: 'is_own' } },
    ])
  })

  it('are kept when a sale is refunded, after the customer has the money', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid()
    await refunds.ended(await done(refunds.request(payment)))
    expect(await balance()).toEqual({ ledger: '0', available: '0', in_flight: '0', platform_fees: '1' })
    expect(await collectedNow()).toEqual([])
    await payouts.earn(1)
    expect(await balance()).toEqual({ ledger: '10', available: '8', in_flight: '0', platform_fees: '2' })
    expect(await collectedNow()).toEqual(['2 USDC'])
  })

  it('cannot be kept from the operator by canceling their payment', async () => {
    await payouts.earn(1)
    await done(collect())
    const [collection] = await payouts.list()
    expect(await refused(front.billing.payouts.cancel(payouts.now(), present(collection).id))).toEqual({
      _tag: 'PayoutNotCancelable',
      status: 'pending',
    })
  })

  it('wait while payouts are frozen', async () => {
    await payouts.earn(1)
    await done(collect())
    const frozen = { scope: 'payouts' as const, merchantId: front.merchantId, by: asText('Ada'), reason: asText('why') }
    await done(front.billing.freezes.freeze(frozen))
    await pass()
    expect(await payouts.list()).toMatchObject([{ status: 'pending' }])
    await done(front.billing.freezes.unfreeze(frozen))
    await pass()
    expect(await payouts.list()).toMatchObject([{ status: 'succeeded' }])
  })

  it.each([1, 2, 3])('are paid once where the process dies after change %d of their collection', async (changes) => {
    await payouts.earn(2)
    const before = await operatorHolds()
    const dying = createBilling({ ...front.services, store: dyingAfter(changes)(front.services.store) })
    await expect(collect(0n, dying)()).rejects.toThrow(ProcessDied)
    await pass()
    await collectedNow()
    await pass()
    expect((await operatorHolds()) - before).toBe(units(2))
    expect(await balance()).toMatchObject({ available: '18', platform_fees: '0' })
  })

  it.each([
    ['as it was', operatorAccount],
    ['changed', anotherAccount],
    ['not set', null],
  ])('are not collected again by a log that has lost their collection, with the fee account %s', async (_, account) => {
    await payouts.earn(2)
    const before = await operatorHolds()
    const backup = backUp(front)
    await done(collect())
    await pass()
    const [lost] = await payouts.list()
    feeAccount = account ?? null
    front = await restore(front, backup, 'lost')
    payouts = payoutsIn(front)
    await pass(1)
    await acceptLog(front)
    await pass()
    expect(await payouts.list()).toMatchObject([
      { id: present(lost).id, purpose: 'platform_fee', status: 'succeeded', amount: '2 USDC' },
    ])
    expect(await done(collect(0n, payingTo(present(anotherAccount))))).toEqual([])
    await payouts.earn(1)
    expect(await balance()).toEqual({ ledger: '28', available: '27', in_flight: '0', platform_fees: '1' })
    expect((await operatorHolds()) - before).toBe(units(2))
    expect(await reconciled()).toMatchObject({ isOk: true, named: { payout: 1 }, unexplained: [], missing: [] })
  })

  it('are not collected while a payment of the asset is unexplained', async () => {
    await payouts.earn(2)
    const backup = backUp(front)
    const destination = await payouts.destination()
    await payouts.ended(await done(payouts.request(destination, { amount: stroops(units(1)) })))
    front = await restore(front, backup, 'lost')
    payouts = payoutsIn(front)
    await pass(1)
    await acceptLog(front)
    await pass()
    expect(await collectedNow()).toEqual(['PerhapsPaid'])
    const { resources } = await front.billing.exceptions.list({ ...front.scope, limit: 10 }, null)()
    expect(resources).toMatchObject([{ kind: 'unexplained', status: 'open' }])
  })

  it('are still owed where a lost payout of the merchant bears a memo like theirs', async () => {
    await payouts.earn(2)
    const destination = await payouts.destination()
    const backup = backUp(front)
    const memo = decoded(Memo, { type: 'text', value: exampleId(PayoutId, 1) })
    await payouts.ended(await done(payouts.request(destination, { amount: stroops(units(2)), memo })))
    feeAccount = null
    front = await restore(front, backup, 'lost')
    payouts = payoutsIn(front)
    await pass(1)
    await acceptLog(front)
    await pass()
    expect(await balance()).toMatchObject({ ledger: '18', platform_fees: '2' })
  })

  it('of a network that was reset are owed no more, and what is sold on the new one is', async () => {
    await payouts.earn(2)
    await done(collect())
    await pass()
    await payouts.earn(1)
    expect(await balance()).toMatchObject({ ledger: '28', platform_fees: '1' })
    front.network.startAnew()
    await refused(front.worker.step)
    const reset = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }
    await done(front.billing.networkResets.reset('testnet', reset))
    await pass()
    for (const wallet of [1, 2]) await front.wallets.wallet(wallet)
    expect(await balance()).toMatchObject({ ledger: '0', platform_fees: '0' })
    expect(await collectedNow()).toEqual([])
    await payouts.earn(3)
    expect(await balance()).toMatchObject({ ledger: '30', available: '27', platform_fees: '3' })
    const { assetId } = front.network.usdc
    const request = { environment: 'testnet' as const, merchantId: front.merchantId, from: null, to: null }
    expect(await done(front.billing.usage(request))).toMatchObject([
      { platformFees: { owed: [{ assetId, amount: units(3) }] } },
    ])
    expect(await platformFeeSums({ readModels: await front.platform.shown() }, 'testnet')).toEqual([
      { assetId, booked: units(5), collected: units(2), owed: units(3) },
    ])
    const before = await operatorHolds()
    expect(await collectedNow()).toEqual(['3 USDC'])
    await pass()
    expect(await collectedNow()).toEqual([])
    expect((await operatorHolds()) - before).toBe(units(3))
    expect(await balance()).toMatchObject({ available: '27', platform_fees: '0' })
  })
})
