/** Lets so many through at once; the others wait in order, for as long as it takes. */
export const atMost = (most: number): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: Array<() => void> = []
  let left = most
  return async (work) => {
    if (left > 0) left -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) left += 1
      else next()
    }
  }
}
