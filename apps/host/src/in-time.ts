/**
 * What `ask` answers, or null where that takes longer than so many milliseconds. Who asks while an answer is under way
 * shares it, so that nothing piles up in front of what is silent. Errors: throws what `ask` throws in time.
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
