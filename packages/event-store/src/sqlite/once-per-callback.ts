import { statementsOfProcess, uncounted } from './database.ts'

/**
 * Asks a file something once for each callback of the event loop, and again once `changes` answers another count: by default,
 * after any other statement of this process. What another process has committed before a request came is thus seen by that
 * request, which came in this callback or an earlier one; and, by default, whoever has read something of a commit finds all of it.
 * Errors: throws what `ask` throws, and keeps nothing then.
 */
export const oncePerCallback = <A>(ask: () => A, changes: () => number = statementsOfProcess): (() => A) => {
  let known: { readonly answer: A; readonly after: number } | null = null
  const forget = (): void => {
    known = null
  }
  // Once the promises that this callback settles have run on, and before the event loop's next callback.
  const forgetSoon = (): void => process.nextTick(forget)
  return () => {
    if (known === null || known.after !== changes()) {
      known = { answer: uncounted(ask), after: changes() }
      void Promise.resolve().then(forgetSoon)
    }
    return known.answer
  }
}
