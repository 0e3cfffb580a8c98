import type { Services } from '@quittance/billing'

/** Resolves at the next write of any process, at the abort, or when it is time to look. */
export type UntilWritten = (signal: AbortSignal) => Promise<void>

/** Tells this process's listeners of what other processes write to a database that they share, until the signal aborts. */
export const wakeOnWrites = async (
  { changes }: Pick<Services, 'changes'>,
  untilWritten: UntilWritten,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await untilWritten(signal)
    // It may be any stream: listeners look for themselves.
    changes.notify('')
  }
}
