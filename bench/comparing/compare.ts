import { execFileSync } from 'node:child_process'
import type { Report } from '../report.ts'
import type { Comparison } from './comparison.ts'
import { writeResult } from './results.ts'
import { run } from './run.ts'
import { ratiosOf, spreadOf } from './statistics.ts'

/** Measures a comparison and keeps its figures in `bench/results`. `--quick`: shorter rounds, and fewer. */
export const compare = async (comparison: Comparison, flags: ReadonlyArray<string>): Promise<Report> => {
  const { name, unit, peer } = comparison
  const result = await run(comparison, flags.includes('--quick'))
  writeResult(result)
  const ours = { [`${name}, ${unit}`]: spreadOf(result.ours).median }
  if (result.peer === null) return ours
  const { median, low, high } = spreadOf(ratiosOf(result))
  const theirs = { [`${peer}`]: spreadOf(result.peer).median }
  return { ...ours, ...theirs, 'ratio, median': median, 'ratio, first quartile': low, 'ratio, third quartile': high }
}

/** Runs each in a process of its own, so that none works on what another has left. Answers whether all succeeded. */
export const compareEach = (program: string, names: ReadonlyArray<string>, flags: ReadonlyArray<string>): boolean => {
  let succeeded = true
  for (const name of names)
    try {
      execFileSync(process.execPath, [program, name, ...flags], { stdio: 'inherit' })
    } catch {
      succeeded = false
    }
  return succeeded
}
