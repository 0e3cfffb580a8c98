import type { SqlDatabase } from '@quittance/event-store'
import { probeWrite, type Writability } from '@quittance/event-store/sqlite'

/** The files that the service writes, by name. */
export type WrittenFiles = Readonly<Record<string, SqlDatabase>>

export type WritesReadiness = Readonly<Record<string, Writability>>

const probedEveryMs = 3_000

/** Whether each file can be written, as of the last 3 s: finding out costs a commit each. */
export const writesReadiness = (
  files: WrittenFiles,
  now: () => number = () => performance.now(),
): (() => WritesReadiness) => {
  let [known, knownAt]: [WritesReadiness, number] = [{}, Number.NEGATIVE_INFINITY]
  return () => {
    if (now() - knownAt < probedEveryMs) return known
    known = Object.fromEntries(Object.entries(files).map(([name, sql]) => [name, probeWrite(sql)]))
    knownAt = now()
    return known
  }
}
