import type { Task } from 'fp-ts/lib/Task.js'

/**
 * The same task, whose runs never overlap. Calls made during a run share one run that begins after it: each caller gets
 * the outcome of a run that began after its call.
 */
export const sharedRuns = <A>(task: Task<A>): Task<A> => {
  let running: Promise<A> | null = null
  let next: Promise<A> | null = null
  const begin = (): Promise<A> => {
    next = null
    running = task().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (next !== null) return next
    if (running === null) return begin()
    next = running.then(begin, begin)
    return next
  }
}
