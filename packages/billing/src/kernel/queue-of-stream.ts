import type { EventStore } from '@quittance/event-store'

/**
 * How long a command waits for those before it. Then it goes ahead, so that a store that does not answer is not asked once
 * after another: the store still accepts only one of two commands at the same head.
 */
const patienceMs = 2_000

/** The last piece of work of each stream that has any. */
const lastOf = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Runs the commands of this process on one stream in the order of the calls, so that they do not conflict. `work` must not
 * run another command on the same stream.
 */
export const inQueueOf = async <A>(
  store: EventStore,
  stream: string,
  work: () => Promise<A>,
  withinMs = patienceMs,
): Promise<A> => {
  const last = lastOf.get(store) ?? new Map<string, Promise<void>>()
  lastOf.set(store, last)
  const before = last.get(stream)
  const running = before === undefined ? work() : ended(before, withinMs).then(work)
  const done = running.then(
    () => undefined,
    () => undefined,
  )
  last.set(stream, done)
  try {
    return await running
  } finally {
    if (last.get(stream) === done) last.delete(stream)
  }
}

/** Resolves when the work has ended, or after that time. */
const ended = async (work: Promise<void>, withinMs: number): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  await Promise.race([work, late])
  clearTimeout(timer)
}
