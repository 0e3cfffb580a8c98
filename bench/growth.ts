import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine } from './comparing/machine.ts'
import { spreadOf } from './comparing/statistics.ts'
import { bytesOf, fill, fillInline, type Log, newLog, openLog } from './growth/log.ts'
import { type Kind, kinds, roundsOf } from './growth/rates.ts'
import { growthResult, type Round, type Rounds, ratiosOf, type Size } from './growth/results.ts'
import { requireSame } from './growth/same-file.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const smallest = 10_000
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
 * `--rounds` (11); what a process holds that opens it. One file grows. Five million events take half an hour and 13 GB. Its figures are kept in
 * `bench/results/growth`.
 */
export const growth: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const text = { type: 'string' } as const
    const options = { events: text, rounds: text, json: { type: 'boolean' } } as const
    const { events = '10000,100000,1000000', rounds = '11' } = parseArgs({ args: [...flags], options }).values
    const small = await fillInline(newLog(join(folder, 'small.db')), smallest)
    let log = newLog(join(folder, 'log.db'))
    const sizes: Array<Size> = []
    const report: Record<string, Report[string]> = {}
    for (const wanted of events.split(',').map(Number)) {
      const at = `at ${wanted.toLocaleString('en')} events`
      const startedAt = performance.now()
      log = await fill(log, wanted)
      const fillSeconds = (performance.now() - startedAt) / 1_000
      process.stderr.write(`filled ${at} in ${Math.round(fillSeconds)} s\n`)
      if (wanted === smallest) requireSame(log.path, small.path)
      const size = { held: held(log), fileBytes: bytesOf(log), ...extentOf(log), events: wanted, fillSeconds }
      const rates: Record<string, Size['rates'][string]> = {}
      for (const kind of kinds) {
        // The smallest would grow by its own measurement.
        const own = wanted === smallest ? copied(log, join(folder, 'control.db')) : log
        const compared = await compare(own, copied(small, join(folder, 'beside.db')), kind, Number(rounds))
        if (wanted !== smallest) log = compared.log
        rates[kind] = compared.figures
        const ratio = spreadOf(ratiosOf(compared.figures))
        process.stderr.write(`${kind} ${at}: ${JSON.stringify(ratio)}\n`)
        report[`${kind}, beside 10,000, ${at}`] = ratio.median
      }
      sizes.push({ ...size, rates })
      growthResult.write({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), sizes })
    }
    return report
  })

const extentOf = ({ extent: { subscriptions, sales, renewals }, deliveries }: Log) => ({
  subscriptions,
  payments: sales + renewals,
  deliveries,
})
