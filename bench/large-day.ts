import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine } from './comparing/machine.ts'
import type { DayPlan } from './long-runs/day-plan.ts'
import { writeDay } from './long-runs/results.ts'
import type { Benchmark } from './report.ts'

const program = fileURLToPath(new URL('./long-runs/day-case.ts', import.meta.url))
/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=4'

/**
 * A day of a large merchant: of `--subscriptions` (1,000,000), `--due` % (1) are due in each of `--hours` (24), whose clock is moved,
 * and `--failing` % of these (5) have no money. `--channels` (20); after `--limit` minutes (unlimited) no further hour begins.
 * Fails if a subscription was not charged exactly once, is not dunned by the rules, or was touched before it was due. Writes what
 * each hour took.
 */
export const largeDay: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = {
    ...{ subscriptions: text, hours: text, due: text, failing: text, channels: text, limit: text },
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  const plan: DayPlan = {
    subscriptions: Number(values.subscriptions ?? 1_000_000),
    hours: Number(values.hours ?? 24),
    due: Number(values.due ?? 1),
    failing: Number(values.failing ?? 5),
    channels: Number(values.channels ?? 20),
    limitMinutes: Number(values.limit ?? 10_000),
  }
  const stdio = ['ignore' as const, 'pipe' as const, 'inherit' as const]
  const words = ['--no-warnings', youngGeneration, program, JSON.stringify(plan)]
  const { report, ...measured } = JSON.parse(
    execFileSync(process.execPath, words, { maxBuffer: 1e8, stdio }).toString(),
  )
  if (report.wrong !== 0) process.exitCode = 1
  writeDay({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), plan, ...measured, report })
  return report
}
