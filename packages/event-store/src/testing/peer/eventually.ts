import { setTimeout as delay } from 'node:timers/promises'

/** Resolves once a condition holds. Errors: throws after the deadline. */
export const eventually = async (holds: () => boolean, deadlineMs = 120_000): Promise<void> => {
  const end = performance.now() + deadlineMs
  while (!holds()) {
    if (performance.now() > end) throw new Error('The condition did not become true in time')
    await delay(5)
  }
}
