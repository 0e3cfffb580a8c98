/** Limits concurrent work; the rest waits, first come first served. */
export const turns = (atOnce: number): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
