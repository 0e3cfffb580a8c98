import { setTimeout as delay } from 'node:timers/promises'

const deadlineMs = 20_000

/** Resolves once a condition holds. Errors: throws when that takes longer than 20 s. */
export const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + deadlineMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('What was waited for has not come about')
    await delay(5)
  }
}
