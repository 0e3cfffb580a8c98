import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine } from './comparing/machine.ts'
import { spreadOf } from './comparing/statistics.ts'
import { addStretch } from './growth/add-stretch.ts'
import { bytesOf, type Log, openLog, writeStretch } from './growth/log.ts'
import { type Kind, kinds, roundsOf } from './growth/rates.ts'
import { growthResult, type Round, type Rounds, ratiosOf, type Size } from './growth/results.ts'
import { requireRebuilt, requireSame } from './growth/same-file.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const ofSmallest = 10_000
const ofStretch = 100_000
const heldCase = fileURLToPath(new URL('./growth/held-case.ts', import.meta.url))
/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=4'

const measured = async (round: () => Promise<number>): Promise<Round> => {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  const done = await round()
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(before)
  return { perSecond: done / seconds, perProcessorSecond: (done * 1e6) / (user + system) }
}

const copied = (log: Log, path: string): Log => {
  copyFileSync(log.path, path)
  return { ...log, path }
}

const held = (log: Log): Size['held'] => {
  const words = ['--no-warnings', '--expose-gc', youngGeneration, heldCase, JSON.stringify(log)]
  return JSON.parse(execFileSync(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] }).toString('utf8'))
}

/** Pairs of rounds on a log and on a new copy of the small one, each first in turn. Answers the log as it is afterwards. */
const compare = async (log: Log, small: Log, kind: Kind, rounds: number) => {
  const [large, beside] = [openLog(log), openLog(small)]
  const [ours, theirs] = [roundsOf(large)[kind], roundsOf(beside)[kind]]
  const figures: Rounds = { large: [], small: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const isFirst = round % 2 === 0
    const early = isFirst ? await measured(ours) : null
    const small = await measured(theirs)
    const large = early ?? (await measured(ours))
    if (round === 0) continue
    figures.large.push(large)
    figures.small.push(small)
  }
  beside.close()
  return { figures, log: large.close() }
}

/**
 * What a log with all its read models does a second at `--events` (10000,100000,1000000), beside one of 10,000 events, in pairs of
 * `--rounds` (9); what a process holds that opens it. One file grows, by stretches of 100,000 events. Five million need some
 * 13 GB. The figures are kept in `bench/results/growth`.
 */
export const growth: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const text = { type: 'string' } as const
    const options = { events: text, rounds: text, json: { type: 'boolean' } } as const
    const { events = '10000,100000,1000000', rounds = '9' } = parseArgs({ args: [...flags], options }).values
    const small = await smallest(folder)
    const first = await writeStretch(join(folder, 'first.db'), ofStretch, 'afterwards')
    let log = copied(first, join(folder, 'log.db'))
    const sizes: Array<Size> = []
    const report: Record<string, Report[string]> = {}
    for (const wanted of events.split(',').map(Number)) {
      const isSmallest = wanted === ofSmallest
      const at = `at ${wanted.toLocaleString('en')} events`
      while (!isSmallest && log.events < wanted) log = await addStretch(log, first)
      const size = sizeOf(isSmallest ? small : log, wanted)
      process.stderr.write(`${JSON.stringify(size)}\n`)
      const rates: Record<string, Rounds> = {}
      for (const kind of kinds) {
        const own = isSmallest ? copied(small, join(folder, 'control.db')) : log
        const compared = await compare(own, copied(small, join(folder, 'beside.db')), kind, Number(rounds))
        if (!isSmallest) log = compared.log
        rates[kind] = compared.figures
        const { median, low, high } = spreadOf(ratiosOf(compared.figures))
        process.stderr.write(`${kind} ${at}: ${median} (${low} to ${high})\n`)
        report[`${kind}, beside 10,000, ${at}`] = median
      }
      sizes.push({ ...size, rates })
      growthResult.write({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), sizes })
    }
    return report
  })

/** The log of 10,000 events. On the way it is made sure that a log filled quickly is what a service would have written. */
const smallest = async (folder: string): Promise<Log> => {
  const small = await writeStretch(join(folder, 'small.db'), ofSmallest, 'with appends')
  const quick = await writeStretch(join(folder, 'quick.db'), ofSmallest, 'afterwards')
  requireSame(quick.path, small.path)
  await requireRebuilt(await addStretch(quick, small))
  return small
}

const sizeOf = (log: Log, events: number): Omit<Size, 'rates'> => {
  const { stretches, inStretch, fresh } = log
  const all = (of: 'sales' | 'subscriptions' | 'renewals') => stretches * inStretch[of] + fresh[of]
  const payments = all('sales') + all('renewals')
  return { events, subscriptions: all('subscriptions'), payments, fileBytes: bytesOf(log), held: held(log) }
}
