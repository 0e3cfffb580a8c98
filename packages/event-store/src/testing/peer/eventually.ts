import { setTimeout as delay } from 'node:timers/promises'

/** Resolves once a condition holds. Errors: throws when that takes longer than the deadline. */
export const eventually = async (holds: () => boolean, deadlineMs = 20_000): Promise<void> => {
  const end = performance.now() + deadlineMs
  while (!holds()) {
    if (performance.now() > end) throw new Error('What was waited for has not come about')
    await delay(5)
  }
}
