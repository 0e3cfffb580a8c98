import { asText, hourMs, LedgerIngestion, LedgerSequence, minuteMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { createBilling } from '../face/billing.ts'
import { dyingAfter, ProcessDied } from '../testing/failing-stores.ts'
import { forgetful, type Memory } from '../testing/forgetful.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from '../worker/worker.ts'

/** A shop whose node forgets ledgers. */
const openForgetful = async () => {
  const shop = await openStoreFront()
  const memory: Memory = { oldest: 1, isSilent: false }
  const testnet = present(shop.services.networks.testnet)
  const networks = { ...shop.services.networks, testnet: { ...testnet, gateway: forgetful(testnet.gateway, memory) } }
  const services = { ...shop.services, networks }
  const alarms: Array<unknown> = []
  const worker = present(createWorker(services, 'testnet', (halted) => alarms.push(halted)))
  return { ...shop, services, memory, worker, alarms, billing: createBilling(services), step: () => done(worker.step) }
}

describe('halted ingestion', () => {
  let shop: Awaited<ReturnType<typeof openForgetful>>
  beforeEach(async () => {
    shop = await openForgetful()
    await shop.step()
  })
  afterEach(() => shop.close())

  const latest = () => shop.network.sandbox.clock().ledger
  const walkedTo = async () => present(await done(shop.services.cursors.of('testnet').load())).sequence
  const context = () => {
    const { merchantId: _, ...unnamed } = command(shop.platform, '')
    return unnamed
  }
  const request = (from: number, isForced = false) => ({
    from: decoded(LedgerSequence, from),
    by: asText('ada'),
    reason: asText('the node was away'),
    isForced,
  })
  const resume = (from: number, isForced = false) => shop.billing.following.resume(context(), request(from, isForced))
  const recorded = async () => {
    const { events } = await done(shop.platform.log.readStream(`${LedgerIngestion.category}-testnet`))
    return events.map(({ type, data, metadata: { actor } }) => ({ type, data, actor }))
  }
  const pay = (memo: string | null, amount: number) =>
    shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(amount)], memo })
  /** An outage after which the node holds nothing of what closed meanwhile. */
  const forget = async () => {
    shop.network.wait(1000)
    shop.memory.oldest = latest()
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: 'RangePruned' })
  }
  const relay = async (id: string) => {
    const maxTime = Math.floor(shop.network.now() / 1000) + 300
    const sending = {
      to: shop.account,
      asset: shop.network.usdc.assetId,
      parts: [units(10)],
      memo: await shop.memoOf(id),
    }
    await done(shop.billing.payer.submit(id, shop.payer.signedPayment(sending, maxTime)))
  }

  it('resumes where an operator says, and shows payments of the gap as a difference', async () => {
    const [missed, later] = [await shop.sell(), await shop.sell()]
    const before = await walkedTo()
    pay(missed.id, 10)
    await forget()
    const from = latest()
    const { resumption, balances } = await done(resume(from))
    const { account, network } = shop
    const difference = { account, assetId: network.usdc.assetId, counted: 0n, held: units(10) }
    expect(resumption).toMatchObject({
      walkedTo: before,
      from,
      by: 'ada',
      reason: 'the node was away',
      halted: { reason: 'RangePruned', ledger: before + 1 },
      comparison: { asOf: from, compared: 3, differing: 1, differences: [difference] },
    })
    expect(balances.filter((each) => each.difference !== 0n)).toEqual([{ ...difference, difference: units(10) }])
    expect((await recorded()).map(({ type, actor }) => ({ type, actor }))).toEqual([
      { type: 'FollowingResumed', actor: 'test' },
    ])
    pay(later.id, 10)
    await shop.step()
    await shop.step()
    expect([shop.worker.halted(), await walkedTo()]).toEqual([null, latest()])
    expect(await shop.payments(missed.id)).toEqual([])
    expect(await shop.payment(later.id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    const after = await done(shop.billing.following.compare('testnet'))
    expect(after.comparison.differences).toEqual([{ ...difference, counted: units(10), held: units(20) }])
  })

  it('is not resumed when it has not halted, or when no node holds the first ledger', async () => {
    const at = latest()
    expect(await refused(resume(at + 1))).toEqual({ _tag: 'FollowingNotHalted', walkedTo: at })
    expect(await refused(resume(at, true))).toEqual({ _tag: 'LedgerAlreadyWalked', walkedTo: at })
    shop.network.wait(1000)
    await forget()
    expect(await refused(resume(at))).toEqual({ _tag: 'LedgerAlreadyWalked', walkedTo: at })
    expect(await refused(resume(latest() + 2))).toEqual({ _tag: 'LedgerNotClosed', latest: latest() })
    expect(await refused(resume(at + 1))).toEqual({ _tag: 'RangePruned', from: at + 1, oldest: shop.memory.oldest })
    const mainnet = shop.billing.following.resume({ ...context(), environment: 'mainnet' }, request(at))
    expect(await refused(mainnet)).toEqual({ _tag: 'NetworkNotConfigured', environment: 'mainnet' })
    shop.memory.isSilent = true
    expect(await refused(resume(latest()))).toMatchObject({ _tag: 'LedgerUnreachable' })
    expect([await recorded(), await walkedTo()]).toEqual([[], at])
  })

  it('ends in the same place when it is resumed again after a crash before the cursor moved', async () => {
    const before = await walkedTo()
    shop.network.wait(1000)
    await forget()
    const dying = createBilling({ ...shop.services, store: dyingAfter(1)(shop.services.store) })
    await expect(dying.following.resume(context(), request(latest()))()).rejects.toThrow(ProcessDied)
    expect([await walkedTo(), (await recorded()).length]).toEqual([before, 1])
    const first = await recorded()
    for (const _ of ['after the crash', 'and once more']) {
      await done(resume(latest()))
      expect([await walkedTo(), await recorded()]).toEqual([latest() - 1, first])
    }
    await shop.step()
    expect(await walkedTo()).toBe(latest())
  })

  it('does not move the cursor of a worker that has gone on meanwhile', async () => {
    shop.network.wait(1000)
    await forget()
    const cursors = {
      ...shop.services.cursors,
      of: () => ({
        ...shop.services.cursors.of('testnet'),
        advance: () => async () => ({ _tag: 'Right' as const, right: false }),
      }),
    }
    const billing = createBilling({ ...shop.services, cursors })
    expect(await refused(billing.following.resume(context(), request(latest())))).toEqual({ _tag: 'CursorMoved' })
  })

  it('records an earlier relayed payment from the skipped ledger while a node holds that ledger', async () => {
    const { id } = await shop.sell()
    await relay(id)
    shop.network.wait(1000)
    shop.network.wait(1000)
    await done(resume(latest() + 1, true))
    shop.network.wait(1000)
    await shop.step()
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect((await done(shop.billing.following.compare('testnet'))).comparison.differing).toBe(0)
    expect((await recorded()).map(({ type }) => type)).toEqual(['FollowingResumed'])
  })

  it('leaves a relayed payment in a lost ledger to an operator, and never fails it', async () => {
    const { id } = await shop.sell()
    await relay(id)
    shop.network.wait(1000)
    shop.network.wait(10 * minuteMs)
    await forget()
    await done(resume(latest()))
    await shop.step()
    const payment = await shop.payment(id)
    expect(payment).toMatchObject({ status: 'pending' })
    shop.network.wait(1000)
    await shop.step()
    const { uncounted } = await done(shop.billing.following.compare('testnet'))
    expect(uncounted).toMatchObject([{ checkoutId: id, paymentId: payment.id, includedIn: null }])
    expect((await recorded()).map(({ type }) => type)).toEqual(['FollowingResumed', 'TransactionLeftUncounted'])

    shop.memory.oldest = 1
    shop.network.wait(hourMs)
    await shop.step()
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect((await done(shop.billing.following.compare('testnet'))).comparison.differing).toBe(0)
  })

  it('proves a relayed payment dead that was sent after the gap', async () => {
    shop.network.wait(1000)
    await forget()
    await done(resume(latest()))
    const { id } = await shop.sell()
    shop.network.wait(1000)
    await shop.step()
    shop.network.faults.losesSubmissions = true
    await relay(id)
    shop.network.wait(10 * minuteMs)
    await shop.step()
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
  })
})

describe('books and ledger', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())

  it('agree on each account and asset after every kind of payment', async () => {
    const [paid, short, xlm] = [await shop.sell(), await shop.sell(), await shop.sell(shop.network.xlm.assetId)]
    await shop.pay(paid.id, [units(4)])
    await shop.pay(paid.id, [units(20), units(3)])
    await shop.pay(paid.id, [units(1)], { asset: shop.network.eurc.assetId })
    await shop.pay(null, [units(2)])
    await shop.pay(null, [units(0.00001)], { asset: shop.network.xlm.assetId })
    await shop.pay(short.id, [units(5)])
    shop.network.wait(25 * hourMs)
    await shop.step()
    shop.network.rates.isOut = true
    await shop.pay(xlm.id, [units(7)], { asset: shop.network.xlm.assetId })
    const { balances, comparison } = await done(shop.billing.following.compare('testnet'))
    const { account, network } = shop
    const line = (assetId: string, amount: bigint) => ({
      account,
      assetId,
      counted: amount,
      held: amount,
      difference: 0n,
    })
    expect(balances).toEqual([
      line('native', units(10_007.00001)),
      // The rest has gone back: an excess, what came twice, too little at the deadline, without a memo, in another
      // asset.
      line(network.usdc.assetId, units(10)),
      line(network.eurc.assetId, units(0)),
    ])
    expect(comparison).toMatchObject({ compared: 3, differing: 0, differences: [] })
  })
})
