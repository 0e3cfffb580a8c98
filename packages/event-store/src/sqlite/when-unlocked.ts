import { setTimeout as pause } from 'node:timers/promises'
import { isLocked } from './failures.ts'

const patienceMs = 5_000

/**
 * Does work that writes; while another process holds the lock, tries again for up to 5 s, and the process goes on meanwhile.
 * `work` must write nothing before it meets the lock. Errors: throws what the last try throws.
 */
export const whenUnlocked = async <A>(work: () => A | Promise<A>): Promise<A> => {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (!isLocked(cause) || performance.now() > deadline) throw cause
      await pause(untilNextTryMs())
    }
  }
}

/** Random, so that processes do not keep meeting. */
export const untilNextTryMs = (): number => 2 + 20 * Math.random()
