import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Benchmark, Report } from './report.ts'

const program = fileURLToPath(new URL('./refund-case.ts', import.meta.url))
const operationsInLedger = 1_000
const inTransaction = 100

type Way = 'at once' | 'one by one'

type Measured = {
  /** From the first ledger that contains a refund to the last. */
  readonly ledgers: number
  /** Our own processor time per refund, and the network's beside it. */
  readonly cpuMs: number
  readonly networkCpuMs: number
  readonly peakMb: number
  readonly paid: number
  readonly duplicates: number
}

const run = (refunds: number, channels: number, way: Way): Measured => {
  const words = ['--no-warnings', program, String(refunds), String(channels), way]
  const measured: Measured = JSON.parse(execFileSync(process.execPath, words, { maxBuffer: 1e6 }).toString('utf8'))
  process.stderr.write(`${words.slice(2).join(' ')}: ${JSON.stringify(measured)}\n`)
  if (measured.paid !== refunds || measured.duplicates > 0) process.exitCode = 1
  return measured
}

const reported = (refunds: number, channels: number, way: Way): Report => {
  const measured = run(refunds, channels, way)
  const eachLedger = Math.min(operationsInLedger, Math.max(channels, 1) * (way === 'at once' ? inTransaction : 1))
  const name = `${channels === 0 ? 'the account alone' : `${channels} channels`}, ${way}`
  return {
    [`${name}: refunds`]: refunds,
    [`${name}: ledgers`]: measured.ledgers,
    [`${name}: ledgers at full capacity`]: Math.ceil(refunds / eachLedger),
    [`${name}: processor for each, ms`]: measured.cpuMs,
    [`${name}: the network's beside it, ms`]: measured.networkCpuMs,
    [`${name}: peak memory, MB`]: measured.peakMb,
    [`${name}: not paid`]: refunds - measured.paid + measured.duplicates,
    [`${name}: paid twice`]: measured.duplicates,
  }
}

/**
 * `--refunds` refunds (10,000: some minutes) from one account, each case in its own process: with 20 channels and
 * without any; requested at once, so that they share transactions, and a tenth of them one by one, so that none does.
 * Prints each case when it ends, too.
 */
export const refunds: Benchmark = async (flags) => {
  const options = { refunds: { type: 'string' }, json: { type: 'boolean' } } as const
  const count = Number(parseArgs({ args: [...flags], options }).values.refunds ?? 10_000)
  return {
    ...reported(count, 20, 'at once'),
    ...reported(count, 0, 'at once'),
    ...reported(count / 10, 20, 'one by one'),
    ...reported(count / 10, 0, 'one by one'),
  }
}
