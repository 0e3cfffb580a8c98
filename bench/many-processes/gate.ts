/** Lets work begin while it is open. */
export const openGate = () => {
  const working = new Set<Promise<unknown>>()
  let closed: PromiseWithResolvers<void> | null = null
  return {
    /** Runs work once the gate is open. */
    pass: async <A>(work: () => Promise<A>): Promise<A> => {
      while (closed !== null) await closed.promise
      const done = work().finally(() => working.delete(done))
      working.add(done)
      return done
    },
    /** Closes the gate, waits until all work has ended, does something, and opens it again. */
    whileClosed: async (act: () => Promise<void>): Promise<void> => {
      closed = Promise.withResolvers<void>()
      await Promise.allSettled(working)
      await act()
      closed.resolve()
      closed = null
    },
  }
}
