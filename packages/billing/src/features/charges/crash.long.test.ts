import { minuteMs, type PaymentId, type SubscriptionId } from '@quittance/domain'
import { dyingAfter, heldUpAt } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { provenLog } from '../../testing/stores.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'

const mostAppends = 80

describe('a process that dies while renewals are charged', () => {
  let front: StoreFront
  let people: Subscribers
  let ids: ReadonlyArray<SubscriptionId>
  beforeAll(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
    const rich = await front.wallets.wallet(3)
    ids = [await people.subscribe(front.payer), await people.subscribe(rich)]
    people.sleepADay()
    await renewed(await started())
  })
  afterAll(() => front.close())

  const started = async (on: TestPlatform = front.platform): Promise<ReadonlyArray<PaymentId>> => {
    const payments: Array<PaymentId> = []
    for (const id of ids) payments.push(await people.startAs(id, on.services))
    return payments
  }
  const held = async (): Promise<bigint> => {
    const asked = [{ account: front.account, assetId: front.network.usdc.assetId }]
    const [holding] = await done(front.network.gateway.balances(asked))
    return present(holding?.held)
  }
  /** Charged once, told once, and ready for the next period, which begins. */
  const renewed = async (payments: ReadonlyArray<PaymentId>): Promise<void> => {
    for (const ms of [1_000, 3 * minuteMs, 1_000, 1_000, 1_000, 1_000]) await people.pass(ms)
    for (const [index, id] of ids.entries()) {
      const paymentId = present(payments[index])
      expect(await people.payment(paymentId)).toMatchObject({ status: 'confirmed' })
      expect(await people.intentOf(paymentId)).toMatchObject({ status: 'reported' })
      const { covered, attempts } = await people.now(id)
      expect([attempts.at(-1)?.paymentId, attempts.at(-1)?.status, covered.n]).toEqual([
        paymentId,
        'confirmed',
        attempts.at(-1)?.n,
      ])
    }
    const { ledgerTransactions } = await front.platform.shown()
    expect(await Array.fromAsync(ledgerTransactions.due('testnet', Number.MAX_SAFE_INTEGER))).toEqual([])
    people.sleepADay()
  }
  const everyEventId = async () => {
    const eventIds: Array<string> = []
    for await (const { id } of front.platform.log.readAll(0n)) eventIds.push(id)
    return eventIds
  }
  const lives = async (process: TestPlatform, ledgers: ReadonlyArray<number>): Promise<boolean> => {
    for (const ms of ledgers) {
      if (!(await survived(done(process.worker.step)))) return false
      front.network.wait(ms)
    }
    return true
  }

  it.each<readonly [string, ReadonlyArray<number>, boolean]>([
    ['is taken by the next ledger', [1_000, 1_000, 1_000, 1_000], false],
    ['never reaches the network, dies and is charged by another', [minuteMs, 90_000, 1_000], true],
  ])('renewals are charged once after a crash at any append when the call %s', async (_, ledgers, isLost) => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const before = await held()
      const payments = await started()
      front.network.faults.losesSubmissions = isLost
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const isAlive = await lives(dying, ledgers)
      await dying.close()
      front.network.faults.losesSubmissions = false
      await renewed(payments)
      expect((await held()) - before).toBe(units(20))
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(10)
    expect(deaths).toBeLessThan(mostAppends)
    const eventIds = await everyEventId()
    expect(new Set(eventIds).size).toBe(eventIds.length)
    expect(await provenLog(front.folder.path)).toMatchObject({ ok: true })
    expect([await front.exceptions(), await people.isReconciled()]).toEqual([[], true])
  })

  it('a renewal starts again and is charged once after a crash at any append of its start', async () => {
    const [id, other] = [present(ids[0]), present(ids[1])]
    await renewed(await started())
    let deaths = 0
    for (let isAlive = false; !isAlive && deaths < mostAppends; deaths++) {
      const before = await held()
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      isAlive = await survived(people.startAs(id, dying.services))
      await dying.close()
      await renewed([await people.handOver(id), await people.start(other)])
      expect((await held()) - before).toBe(units(20))
    }
    expect(deaths).toBe(3)
  })

  it('renewals are charged once when one process stalls before any append and another goes on', async () => {
    let appends = 1
    for (let isHeldUp = true; isHeldUp && appends < mostAppends; appends++) {
      const before = await held()
      const payments = await started()
      isHeldUp = false
      const slow = await openPlatform(
        front.network,
        front.folder.path,
        heldUpAt(appends, async () => {
          isHeldUp = true
          for (let ledgers = 0; ledgers < 3; ledgers++) await people.pass()
        }),
      )
      for (let ledgers = 0; ledgers < 4; ledgers++) {
        await done(slow.worker.step)
        front.network.wait(1_000)
      }
      await slow.close()
      await renewed(payments)
      expect((await held()) - before).toBe(units(20))
    }
    expect(appends).toBeGreaterThan(10)
    expect(appends).toBeLessThan(mostAppends)
  })

  it('two processes at once charge each renewal once', async () => {
    const second = await openPlatform(front.network, front.folder.path)
    for (let period = 0; period < 4; period++) {
      const before = await held()
      const payments = await started()
      for (let ledgers = 0; ledgers < 5; ledgers++) {
        await Promise.all([front.step(), done(second.worker.step)])
        front.network.wait(1_000)
      }
      await renewed(payments)
      expect((await held()) - before).toBe(units(20))
    }
    expect([front.worker, second.worker].map((worker) => worker.troubles())).toEqual([[], []])
    await second.close()
  })
})
