import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The same items in the same order, in batches of what has arrived: a batch ends with its turn of the event loop, or at
 * `most` items. Errors: what the source throws, after the batches before it.
 */
export async function* inBatches<A>(source: AsyncIterable<A>, most: number): AsyncGenerator<ReadonlyArray<A>, void> {
  const items = source[Symbol.asyncIterator]()
  let next = items.next()
  try {
    for (;;) {
      const first = await next
      if (first.done === true) return
      const batch = [first.value]
      next = items.next()
      // The next call that awaits it meets its failure.
      next.catch(() => undefined)
      const turn = nextTurn(null)
      while (batch.length < most) {
        const more = await Promise.race([next, turn]).catch(() => null)
        if (more === null || more.done === true) break
        batch.push(more.value)
        next = items.next()
        next.catch(() => undefined)
      }
      yield batch
    }
  } finally {
    // Not awaited: a source that waits for its next item hears of it only then, or through its signal.
    items.return?.().catch(() => undefined)
  }
}
