import { parseArgs } from 'node:util'
import { writeYear } from './audit/seeded-year.ts'
import type { Benchmark } from './report.ts'

/**
 * Writes the year of a club with `--subscriptions` (1,000: some minutes) into the data directory `--dir`, by `--seed`. Answers
 * what an auditor can ask about.
 */
export const auditYear: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = { subscriptions: text, seed: text, dir: text, json: { type: 'boolean' } } as const
  const { dir, subscriptions = '1000', seed = 'club' } = parseArgs({ args: [...flags], options }).values
  if (dir === undefined) throw new Error('say with --dir where the data directory is to be')
  const startedAt = performance.now()
  const report = (what: string): void => void process.stderr.write(`${what}\n`)
  const asked = await writeYear({ dataDir: dir, subscriptions: Number(subscriptions), seed, report })
  return { ...asked, seconds: Math.round((performance.now() - startedAt) / 1_000) }
}
