import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Benchmark, Report } from './report.ts'

const program = fileURLToPath(new URL('./renewal-case.ts', import.meta.url))
/** As `npm start` has it: with more, V8 lets more garbage lie on a machine that has much memory. */
const youngGeneration = '--max-semi-space-size=4'

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
  const words = ['--no-warnings', youngGeneration, program, String(due), String(idle), String(channels)]
  const stdio = ['ignore' as const, 'pipe' as const, 'inherit' as const]
  const given: Given = JSON.parse(execFileSync(process.execPath, words, { maxBuffer: 1e6, stdio }).toString('utf8'))
  process.stderr.write(`${words.slice(3).join(' ')}: ${JSON.stringify(given)}\n`)
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
 * `--due` subscriptions (2,000: some minutes) renew in the same moment, with 1 channel and with `--channels` (20); and 100 renew
 * beside `--few` (10,000) and `--many` (100,000) that do not. What has been done is told as it goes on, each case when it is
 * through; a case of 0 is left out. Each runs in a process of its own.
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
