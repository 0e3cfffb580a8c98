import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Benchmark, Report } from './report.ts'

const program = fileURLToPath(new URL('./renewal-case.ts', import.meta.url))
/** As in `npm start`: with a larger value, V8 keeps more garbage on machines with much memory. */
const youngGeneration = '--max-semi-space-size=4'

type Measured = {
  readonly paid: number
  /** From the first ledger that contains a charge to the last. */
  readonly ledgers: number
  /** The most charges in one transaction. */
  readonly largest: number
  /** Our own processor time per charge, from the end of the trials, and the network's beside it. */
  readonly cpuMs: number
  readonly networkCpuMs: number
  readonly peakMb: number
  readonly duplicates: number
}

const run = (due: number, idle: number, channels: number): Measured => {
  const words = ['--no-warnings', youngGeneration, program, String(due), String(idle), String(channels)]
  const stdio = ['ignore' as const, 'pipe' as const, 'inherit' as const]
  const measured: Measured = JSON.parse(
    execFileSync(process.execPath, words, { maxBuffer: 1e6, stdio }).toString('utf8'),
  )
  process.stderr.write(`${words.slice(3).join(' ')}: ${JSON.stringify(measured)}\n`)
  if (measured.paid !== due || measured.duplicates !== 0) process.exitCode = 1
  return measured
}

const reported = (name: string, due: number, idle: number, channels: number): Report => {
  const { paid, ledgers, largest, cpuMs, networkCpuMs, peakMb, duplicates } = run(due, idle, channels)
  const full = Math.ceil(due / (channels * largest))
  return {
    [`${name}: ledgers`]: ledgers,
    [`${name}: the most in one transaction`]: largest,
    [`${name}: of full capacity, %`]: (100 * full) / ledgers,
    [`${name}: processor for each, ms`]: cpuMs,
    [`${name}: the network's beside it, ms`]: networkCpuMs,
    [`${name}: peak memory, MB`]: peakMb,
    [`${name}: not charged`]: due - paid,
    [`${name}: charged twice`]: duplicates,
  }
}

/**
 * `--due` subscriptions (2,000: some minutes) renew at once, with 1 channel and with `--channels` (20); and 100 renew
 * beside `--few` (10,000) and `--many` (100,000) idle ones. Reports progress and each case when it ends; skips cases of
 * 0. Each case runs in its own process.
 */
export const renewals: Benchmark = async (flags) => {
  const count = (standard: number) => ({ type: 'string', default: String(standard) }) as const
  const options = {
    ...{ due: count(2_000), channels: count(20), few: count(10_000), many: count(100_000) },
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  const [due, channels, few, many] = [values.due, values.channels, values.few, values.many].map(Number)
  if (due === undefined || channels === undefined || few === undefined || many === undefined)
    throw new Error('unreachable')
  return {
    ...(due === 0 ? {} : reported(`${due} by ${channels} channels`, due, 0, channels)),
    ...(due === 0 ? {} : reported(`${due} by 1 channel`, due, 0, 1)),
    ...(few === 0 ? {} : reported(`100 beside ${few}`, 100, few, channels)),
    ...(many === 0 ? {} : reported(`100 beside ${many}`, 100, many, channels)),
  }
}
