import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eventually } from '@quittance/http/testing/eventually'
import { underWay } from '@quittance/http/testing/renewal-kills/time'
import { ledgerIsIngested } from '@quittance/http/testing/sale'
import { machine } from './comparing/machine.ts'
import { atARate } from './long-runs/at-a-rate.ts'
import { sampleOf } from './long-runs/process-sample.ts'
import { type Minute, writeSoak } from './long-runs/results.ts'
import { openSoakStage, type SoakStage } from './long-runs/soak-stage.ts'
import type { Books } from './many-processes/books.ts'
import { settle } from './many-processes/settle.ts'
import { halfADayMs, judge } from './many-processes/stage.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const minuteMs = 60_000
const settledWithinMs = 120_000
const betweenLooksMs = 2_000
const hostilePerSecond = 1
/** Of a kind of work. */
const mostAtOnce = 8

/** `--minutes` (60), `--sales` (5) and `--reads` (20) a second, a new member each `--join` seconds (10), half a day passes each `--skip` minutes (5). */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const options = {
    minutes: text,
    sales: text,
    reads: text,
    join: text,
    skip: text,
    seed: text,
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  return {
    minutes: Number(values.minutes ?? 60),
    salesPerSecond: Number(values.sales ?? 5),
    readsPerSecond: Number(values.reads ?? 20),
    joinSeconds: Number(values.join ?? 10),
    skipMinutes: Number(values.skip ?? 5),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
  }
}

type Wanted = ReturnType<typeof wantedIn>

/** Repeats work at a rate, a few pieces at once, and waits for all of them: a slow service gets no more work than it can do. */
const repeatedly = async (over: AbortSignal, perSecond: number, work: () => Promise<unknown>): Promise<void> => {
  const paced = atARate(perSecond)
  const working = new Set<Promise<unknown>>()
  while (!over.aborted)
    await paced(async () => {
      if (working.size >= mostAtOnce) await Promise.race(working)
      const done = work().finally(() => working.delete(done))
      working.add(done)
    })
  await Promise.all(working)
}

/** What all who ask do until it is over. Answers how many half days have passed. */
const work = async (stage: SoakStage, wanted: Wanted, over: AbortSignal): Promise<number> => {
  const { url, books, network, shop, club, readers, hostile, gate } = stage
  const paced = atARate(wanted.salesPerSecond)
  let joined = 0
  let halves = 0
  const passing = async (): Promise<void> => {
    for (;;) {
      await pause(wanted.skipMinutes * minuteMs, undefined, { signal: over }).catch(() => undefined)
      if (over.aborted) return
      await gate.whileClosed(async () => {
        // Else the period of a charge that is due may be over before the worker has looked.
        await ledgerIsIngested({ url })
        await eventually(
          async () => {
            await pause(betweenLooksMs)
            return underWay(await books())
          },
          (left) => left === 0,
          settledWithinMs,
        )
        await network.skipTo(halfADayMs)
      })
      halves += 1
    }
  }
  await Promise.all([
    shop.work(
      () => over.aborted,
      (sell) => paced(() => gate.pass(sell)),
    ),
    repeatedly(over, 1 / wanted.joinSeconds, () => gate.pass(() => club.join(++joined))),
    repeatedly(over, wanted.readsPerSecond, readers.ask),
    repeatedly(over, hostilePerSecond, hostile.ask),
    passing(),
  ])
  return halves
}

/** Takes a sample now and at the end of each minute. */
const watch = async (stage: SoakStage, minutes: number): Promise<ReadonlyArray<Minute>> => {
  const startedAt = performance.now()
  const taken: Array<Minute> = []
  for (let minute = 0; minute <= minutes; minute += 1) {
    await pause(startedAt + minute * minuteMs - performance.now())
    const sample = { minute, sales: stage.shop.completed(), ...(await sampleOf(stage)), answers: stage.times.take() }
    taken.push(sample)
    process.stderr.write(`${JSON.stringify(sample)}\n`)
  }
  return taken
}

/** How many events the till should have got. */
const told = ({ ofType }: Books): number => ofType('PaymentOpened').length + ofType('PaymentConfirmed').length

/**
 * A service of `npm start` under steady mixed work: sales, reads, renewals, refunds, webhooks to receivers that fail, and what no
 * service should take. Fails if a request failed that should not, or if the ledger, the log and what clients and webhooks were told
 * disagree in the end. Writes what each minute took.
 */
export const soak: Benchmark = (flags) => {
  const wanted = wantedIn(flags)
  return inTemporaryFolder(async (folder) => {
    const startedAt = performance.now()
    const seconds = (): number => (performance.now() - startedAt) / 1_000
    const print = (line: string): void => void process.stderr.write(`${seconds().toFixed(1).padStart(7)} ${line}\n`)
    const stage = await openSoakStage(folder, wanted.seed)
    const { asking, till, receiver, readers, hostile, url } = stage
    try {
      print('the shop is open')
      const over = new AbortController()
      const working = work(stage, wanted, over.signal)
      const minutes = await watch(stage, wanted.minutes)
      over.abort()
      const halves = await working
      print('clients have ended')
      const settled = await settle({ ...stage, fleet: { urls: () => [url] }, print })
      await stage.endService()
      const twice = [...till.arrived, ...receiver.arrived].flatMap(([id, times]) =>
        times === 1 ? [] : [`${id}: ${times}`],
      )
      const report = await judge(
        { ...stage, seconds },
        stage,
        settled,
        async (books) => ({
          toldTwice: twice,
          notTold: told(books) === till.arrived.size ? [] : [`${till.arrived.size} of ${told(books)}`],
          till: till.wrong,
          readers: readers.wrong,
          hostile: hostile.wrong,
          failed: Object.keys(asking.figures()).filter((name) => /^refused: .*: 5/.test(name)),
          unanswered: asking.unanswered() === 0 ? [] : [`${asking.unanswered()}`],
        }),
        { 'half days passed': halves, ...hostile.figures() },
      )
      writeSoak({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), wanted, minutes, report })
      return report
    } finally {
      await stage.close()
    }
  })
}
