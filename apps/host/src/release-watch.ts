import { setTimeout as pause } from 'node:timers/promises'
import type { ReleaseWatch } from '@quittance/event-store/postgres'
import type { OperatorLog } from './operator-log.ts'

/** Whether this release understands the store that it shares with processes of others; if not, why. */
export type ReleaseReadiness = { readonly status: 'current' | 'left_behind'; readonly reason: string | null }

/** `release` is null where no process of another release can share the store. */
export const releaseReadiness = (release: ReleaseWatch | null): ReleaseReadiness => {
  const leftBehind = release?.leftBehind() ?? null
  return leftBehind === null
    ? { status: 'current', reason: null }
    : { status: 'left_behind', reason: leftBehind.message }
}

const betweenLooksMs = 1_000

/** Looks each second until the signal aborts, and logs when this release is left behind, and when that is over. */
export const watchRelease = async (
  { look, leftBehind }: ReleaseWatch,
  log: Pick<OperatorLog, 'warn' | 'error'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const before = leftBehind()?.message ?? null
    // A database that does not answer is looked at again.
    const reason = await look().then(
      (found) => found?.message ?? null,
      () => before,
    )
    if (reason !== null && reason !== before)
      log.error({ reason }, 'this process reads and writes nothing any more: start the newer release in its place')
    if (reason === null && before !== null) log.warn({ reason: null }, 'this release understands the log again')
    await pause(betweenLooksMs, undefined, { signal }).catch(() => undefined)
  }
}
