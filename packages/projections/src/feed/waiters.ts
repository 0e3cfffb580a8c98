/** The callers that wait until a position is applied. */
export type Waiters = {
  /** Resolves once that position is reached, or after so many milliseconds. */
  readonly until: (position: bigint, withinMs: number) => Promise<void>
  readonly wake: (reached: bigint) => void
}

export const waiters = (): Waiters => {
  const waiting = new Map<() => void, bigint>()
  return {
    until: (position, withinMs) =>
      new Promise((resolve) => {
        const rouse = (): void => {
          clearTimeout(timer)
          waiting.delete(rouse)
          resolve()
        }
        const timer = setTimeout(rouse, withinMs)
        waiting.set(rouse, position)
      }),
    wake: (reached) => {
      for (const [rouse, position] of [...waiting]) if (position <= reached) rouse()
    },
  }
}
