import * as E from 'fp-ts/lib/Either.js'

/**
 * Works on several things at once, so that their writes can share a commit; their order must not matter. After a failure it
 * begins nothing new, and returns the first failure once all work under way has ended; an exception likewise.
 */
export const severalAtOnce = async <A, L>(
  things: Iterable<A>,
  atOnce: number,
  work: (thing: A) => Promise<E.Either<L, unknown>>,
): Promise<E.Either<L, void>> => {
  const waiting = things[Symbol.iterator]()
  let failed: E.Either<L, void> = E.right(undefined)
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && E.isRight(failed); next = waiting.next()) {
      const done = await work(next.value)
      if (E.isLeft(done) && E.isRight(failed)) failed = done
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return failed
}
