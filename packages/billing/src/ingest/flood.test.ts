import { type Stroops, stroops } from '@quittance/domain'
import { reconcile } from '../books/reconciliation/reconcile.ts'
import { countedStore, type StoreCounts } from '../testing/counted-store.ts'
import { type Dusters, dustersOn } from '../testing/dust.ts'
import { done, present } from '../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const counted = countedStore()
let front: StoreFront
let dusters: Dusters
beforeEach(async () => {
  front = await openStoreFront({}, undefined, counted.wrapped)
  dusters = await dustersOn(front, 3)
  await front.step()
})
afterEach(() => front.close())

const usdc = () => front.network.usdc.assetId
const openSession = async (): Promise<string> => (await front.sell()).id
const paidSession = async (): Promise<string> => {
  const id = await openSession()
  await front.pay(id, [units(10)])
  return id
}

/** Payments of a ledger; so many have a transaction of their own, the others share one with 99 more. */
const single = 2
const ofLedger = 150

/** Sends full ledgers of payments, lets the worker ingest them, and answers what that costs. */
const flooded = async (memo: string | null, ledgers: number, amount?: Stroops): Promise<StoreCounts> => {
  const flood = { payments: ofLedger, single, to: front.account, asset: usdc(), memo }
  for (let ledger = 0; ledger < ledgers; ledger += 1) dusters.flood(amount === undefined ? flood : { ...flood, amount })
  counted.take()
  await front.step()
  return counted.take()
}

const reconciled = () => done(reconcile(front.services, 'testnet', { from: null, to: null, merchantId: null }))

/** Ingests every ledger once more, and answers how many events that writes. */
const ingestedAgain = async (): Promise<number> => {
  const { services, merchantId } = front
  const cursor = present(await done(services.cursors.of('testnet').load()))
  const first = present((await services.readModels.merchants.withId(merchantId))?.row.watched[0]).setUpThrough
  await services.cursors.move('testnet', { ...cursor, sequence: first, hash: null })
  counted.take()
  await front.step()
  return counted.take().events
}

describe('a flood of payments', () => {
  it.each([
    ['an open session', openSession],
    ['a paid session', paidSession],
    ['no session', async () => null],
  ])('costs as much for each ledger, however many came before, for %s', async (_, named) => {
    const memo = await named()
    const first = await flooded(memo, 2)
    const later = await flooded(memo, 2)
    // A ledger makes at most six entries here: for each of its senders, and of a few events each.
    for (const cost of [first, later]) {
      expect(cost.appends).toBeLessThanOrEqual(2 * 6 * 6)
      expect(cost.reads).toBeLessThanOrEqual(2 * 6 * 12)
      expect(cost.eventsRead).toBeLessThanOrEqual(2 * 6 * 24)
    }
    expect(await ingestedAgain()).toBe(0)
    const books = await reconciled()
    expect(books).toMatchObject({ isOk: true, unexplained: [], missing: [] })
    const dust = 4 * ofLedger
    const { payment, exception } = books.named
    expect(payment + exception).toBe(memo === null || payment === dust ? dust : dust + 1)
    // Nothing of it goes back at our cost.
    expect(await (await front.platform.shown()).intents.all()).toEqual([])
  })

  it('counts toward the price, and its last stroop completes the sale', async () => {
    const id = await openSession()
    const [price, some] = [units(10), stroops(7n)]
    await flooded(id, 1, some)
    const missing = price - BigInt(ofLedger) * some
    expect((await front.checkout(id)).status).toBe('open')
    await front.pay(id, [stroops(missing - 1n)])
    expect((await front.checkout(id)).status).toBe('open')
    await front.pay(id, [stroops(1n)])
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await front.payment(id)).toMatchObject({ amount: '10 USDC', overpaid_amount: null })
    expect(await front.exceptionsOf(id)).toEqual([])
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it('leaves the payer unknown if several accounts brought parts of the price', async () => {
    const id = await openSession()
    const crowd = await dustersOn(front, 10)
    const flood = { payments: 10, single: 10, to: front.account, asset: usdc(), memo: id }
    crowd.flood(flood)
    await front.pay(id, [units(10)])
    const { incomingPayments } = present((await (await front.platform.shown()).payments.all())[0]).row
    expect(incomingPayments.map(({ sum }) => sum?.senders)).toContain('several')
    expect((await front.payment(id)).payment_method_details).toBeNull()
  })

  it('keeps the payment of a customer apart from it', async () => {
    const id = await openSession()
    const { to, asset } = { to: front.account, asset: usdc() }
    const payment = front.payer.signedPayment({ to, asset, parts: [units(10)], memo: id }, 0)
    front.network.sandbox.submit(payment)
    await flooded(id, 1)
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
    const { incomingPayments } = present((await (await front.platform.shown()).payments.all())[0]).row
    const own = incomingPayments.filter(({ from }) => from === front.payer.account)
    expect(own.map(({ amount, sum }) => ({ amount, sum }))).toEqual([{ amount: units(10), sum: undefined }])
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it('is named as a whole if one part of it names the session by its id and another by its reference', async () => {
    const id = await openSession()
    const { to, asset } = { to: front.account, asset: usdc() }
    const parts = Array.from({ length: 20 }, () => stroops(1n))
    for (const [wallet, memo] of [
      [front.payer, id],
      [front.other, await front.memoOf(id)],
    ] as const)
      front.network.sandbox.submit(wallet.signedPayment({ to, asset, parts, memo }, 0))
    front.network.sandbox.close()
    await front.step()
    expect(await front.exceptions()).toEqual([])
    expect(await reconciled()).toMatchObject({ isOk: true, named: { payment: 40, unexplained: 0 } })
  })
})
