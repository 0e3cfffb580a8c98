import type { SqlDatabase, Writability } from '@quittance/event-store'
import { probeWrite } from '@quittance/event-store/sqlite'
import { inTime } from './in-time.ts'

/** Finds out by a write. */
export type WriteProbe = () => Promise<Writability>

/** How all that the service writes is probed, by its name: a file's, or `database` and `vault`. */
export type WriteProbes = Readonly<Record<string, WriteProbe>>

export const fileProbe =
  (file: SqlDatabase): WriteProbe =>
  async () =>
    probeWrite(file)

export type WritesReadiness = Readonly<Record<string, Writability>>

const probedEveryMs = 3_000
/** A load balancer waits for a second. */
const answerWithinMs = 800

/** Whether each of these can be written, as of the last 3 s: finding out costs a commit each. What is silent fails. */
export const writesReadiness = (
  probes: WriteProbes,
  now: () => number = () => performance.now(),
): (() => Promise<WritesReadiness>) => {
  const probesInTime = Object.entries(probes).map(([name, probe]) => [name, inTime(probe, answerWithinMs)] as const)
  const probeAll = async (): Promise<WritesReadiness> => {
    const found = probesInTime.map(async ([name, probe]) => [name, (await probe()) ?? 'failing'] as const)
    return Object.fromEntries(await Promise.all(found))
  }
  let [known, knownAt] = [Promise.resolve<WritesReadiness>({}), Number.NEGATIVE_INFINITY]
  return () => {
    if (now() - knownAt < probedEveryMs) return known
    knownAt = now()
    known = probeAll()
    known.catch(() => {
      knownAt = Number.NEGATIVE_INFINITY
    })
    return known
  }
}
