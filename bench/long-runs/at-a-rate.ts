import { setTimeout as pause } from 'node:timers/promises'

/** Lets work begin so many times a second. A pause is not caught up. */
export const atARate = (perSecond: number) => {
  let next = performance.now()
  return async <A>(work: () => Promise<A>): Promise<A> => {
    const now = performance.now()
    next = Math.max(next + 1_000 / perSecond, now)
    await pause(next - now)
    return work()
  }
}
