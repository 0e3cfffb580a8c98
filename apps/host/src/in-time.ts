/**
 * The answer of `ask`, or null when it takes longer. Concurrent callers share one call, so that calls to a silent
 * service do not pile up. Throws what `ask` throws in time.
 */
export const inTime = <A>(ask: () => Promise<A>, withinMs: number): (() => Promise<A | null>) => {
  let asked: Promise<A> | null = null
  const share = (): Promise<A> => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
  return async () => {
    const { promise: silence, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(resolve, withinMs, null)
    try {
      return await Promise.race([share(), silence])
    } finally {
      clearTimeout(timer)
    }
  }
}
