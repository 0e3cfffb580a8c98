import { writesOfProcess } from './database.ts'

/**
 * Reads from a file once for each callback of the event loop, and again after any write of this process. What another process
 * has committed before a request came is thus seen by that request: it came in this callback or an earlier one.
 * Errors: throws what `read` throws, and keeps nothing then.
 */
export const oncePerCallback = <A>(read: () => A): (() => A) => {
  let known: { readonly answer: A; readonly writes: number } | null = null
  const forget = (): void => {
    known = null
  }
  // Once the promises that this callback settles have run on, and before the event loop's next callback.
  const forgetSoon = (): void => process.nextTick(forget)
  return () => {
    if (known === null || known.writes !== writesOfProcess()) {
      known = { answer: read(), writes: writesOfProcess() }
      void Promise.resolve().then(forgetSoon)
    }
    return known.answer
  }
}
