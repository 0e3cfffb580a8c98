import type { Scheduler } from './scheduler.ts'

/**
 * Runs work in which the timers of processes are effects, so that no real time is visible: a pause, or a patience, may end
 * before or after any other effect.
 */
export const withTimers = async <A>({ timer }: Pick<Scheduler, 'timer'>, work: () => Promise<A>): Promise<A> => {
  const { setTimeout, clearTimeout } = globalThis
  const cancels = new WeakMap<object, () => void>()
  const set = (end: () => void, ms?: number): object => {
    const cancel = timer(end)
    if (cancel === null) return setTimeout(end, ms)
    const handle = { unref: () => handle }
    cancels.set(handle, cancel)
    return handle
  }
  const clear = (handle: NodeJS.Timeout): void => {
    const cancel = cancels.get(handle)
    if (cancel === undefined) clearTimeout(handle)
    else cancel()
  }
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  try {
    return await work()
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}
