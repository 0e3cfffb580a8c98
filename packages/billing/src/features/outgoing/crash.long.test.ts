import type { IntentId } from '@quittance/domain'
import { minuteMs } from '@quittance/domain'
import { dyingAfter, heldUpAt, ProcessDied } from '../../testing/failing-stores.ts'
import { done } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { provenLog } from '../../testing/stores.ts'
import { openTill, type Till } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'

const mostAppends = 60

describe('a process that dies while money goes out', () => {
  let till: Till
  beforeAll(async () => {
    till = await openTill()
    await till.want()
    for (let n = 0; n < 3; n++) await till.pass()
  })
  afterAll(() => till.close())

  const survived = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (defect) {
      if (defect instanceof ProcessDied) return false
      throw defect
    }
  }
  const everyEventId = async () => {
    const ids: Array<string> = []
    for await (const { id } of till.platform.log.readAll(0n)) ids.push(id)
    return ids
  }
  /** Steps of one process, each after a ledger; `false` once it is dead. */
  const lives = async (process: TestPlatform, ledgers: ReadonlyArray<number>): Promise<boolean> => {
    for (const ms of ledgers) {
      if (!(await survived(done(process.worker.step)))) return false
      till.network.wait(ms)
    }
    return true
  }
  const settledAll = async (ids: ReadonlyArray<IntentId>): Promise<void> => {
    for (const id of ids) expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    const { ledgerTransactions } = await till.platform.shown()
    expect(await Array.fromAsync(ledgerTransactions.due('testnet', Number.MAX_SAFE_INTEGER))).toEqual([])
  }

  it.each<readonly [string, ReadonlyArray<number>, boolean]>([
    ['is taken by the next ledger', [1_000, 1_000, 1_000], false],
    ['never reaches the network, dies and is paid by another', [minuteMs, 90_000, 1_000], true],
  ])('pays once when a process dies after any append and the transaction %s', async (_, ledgers, isLost) => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const before = await till.balanceOf(till.payer.account)
      till.network.faults.losesSubmissions = isLost
      const ids = [await till.want(), await till.want(), await till.want()]
      const dying = await openPlatform(till.network, till.folder.path, dyingAfter(deaths + 1))
      const isAlive = await lives(dying, ledgers)
      await dying.close()
      till.network.faults.losesSubmissions = false
      for (const ms of [1_000, 3 * minuteMs, 1_000, 1_000, 1_000]) await till.pass(ms)
      await settledAll(ids)
      expect((await till.balanceOf(till.payer.account)) - before).toBe(units(3))
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(8)
    expect(deaths).toBeLessThan(mostAppends)
    const ids = await everyEventId()
    expect(new Set(ids).size).toBe(ids.length)
    expect(await provenLog(till.folder.path)).toMatchObject({ ok: true })
  })

  it('pays once when a process stalls before any append while another one works', async () => {
    let appends = 1
    for (let isHeldUp = true; isHeldUp && appends < mostAppends; appends++) {
      const before = await till.balanceOf(till.payer.account)
      const ids = [await till.want(), await till.want()]
      isHeldUp = false
      const held = await openPlatform(
        till.network,
        till.folder.path,
        heldUpAt(appends, async () => {
          isHeldUp = true
          ids.push(await till.want())
          await till.step()
          await till.pass()
        }),
      )
      for (let n = 0; n < 3; n++) {
        await done(held.worker.step)
        till.network.wait(1_000)
      }
      await held.close()
      for (const ms of [1_000, 3 * minuteMs, 1_000, 1_000]) await till.pass(ms)
      await settledAll(ids)
      expect((await till.balanceOf(till.payer.account)) - before).toBe(units(ids.length))
    }
    expect(appends).toBeGreaterThan(8)
    expect(appends).toBeLessThan(mostAppends)
  })

  it('pays once when two processes work side by side', async () => {
    const second = await openPlatform(till.network, till.folder.path)
    const before = await till.balanceOf(till.payer.account)
    const ids: Array<IntentId> = []
    for (let round = 0; round < 6; round++) {
      ids.push(await till.want(), await till.want())
      await Promise.all([till.step(), done(second.worker.step)])
      till.network.wait(1_000)
    }
    for (const ms of [1_000, 3 * minuteMs, 1_000, 1_000]) {
      till.network.wait(ms)
      await Promise.all([till.step(), done(second.worker.step)])
    }
    await settledAll(ids)
    expect((await till.balanceOf(till.payer.account)) - before).toBe(units(12))
    expect([till.worker, second.worker].map((worker) => worker.troubles())).toEqual([[], []])
    await second.close()
  })
})
