import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Benchmark, Report } from './report.ts'

const program = fileURLToPath(new URL('./renewal-case.ts', import.meta.url))

type Given = {
  readonly paid: number
  /** From the first ledger that holds one to the last. */
  readonly ledgers: number
  /** The most that one transaction held. */
  readonly largest: number
  /** Of our own processor time for each, from the end of the trials; and of the network's beside it. */
  readonly cpuMs: number
  readonly networkCpuMs: number
  readonly peakMb: number
  readonly duplicates: number
}

const run = (due: number, idle: number, channels: number): Given => {
  const words = ['--no-warnings', program, String(due), String(idle), String(channels)]
  const given: Given = JSON.parse(execFileSync(process.execPath, words, { maxBuffer: 1e6 }).toString('utf8'))
  process.stderr.write(`${words.slice(2).join(' ')}: ${JSON.stringify(given)}\n`)
  if (given.paid !== due || given.duplicates !== 0) process.exitCode = 1
  return given
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
 * `--due` subscriptions (400: some minutes, for the most part of enrolment) renew in the same moment, with 1 and 20
 * channels; and 100 renew beside `--few` (10,000) and `--many` (100,000) that do not. Each case is printed when it is
 * through, too.
 */
export const renewals: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = { due: text, few: text, many: text, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...flags], options })
  const [due, few, many] = [values.due ?? 400, values.few ?? 10_000, values.many ?? 100_000].map(Number)
  if (due === undefined || few === undefined || many === undefined) throw new Error('unreachable')
  return {
    ...reported(`${due} by 1 channel`, due, 0, 1),
    ...reported(`${due} by 20 channels`, due, 0, 20),
    ...reported(`100 beside ${few}`, 100, few, 20),
    ...reported(`100 beside ${many}`, 100, many, 20),
  }
}
