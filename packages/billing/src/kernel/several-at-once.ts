import * as E from 'fp-ts/lib/Either.js'

/**
 * Works on several things at once, so that their writes can share a commit; their order must not matter. After a failure it
 * begins nothing new, and returns the first failure once all work under way has ended; an exception likewise.
 */
export const severalAtOnce = async <A, L>(
  things: Iterable<A> | AsyncIterable<A>,
  atOnce: number,
  work: (thing: A) => Promise<E.Either<L, unknown>>,
): Promise<E.Either<L, void>> => {
  const waiting = Symbol.asyncIterator in things ? things[Symbol.asyncIterator]() : things[Symbol.iterator]()
  let failed: E.Either<L, void> = E.right(undefined)
  let last: Promise<unknown> = Promise.resolve()
  /** The work on a thing has begun before the next thing is asked for. */
  const begin = () => {
    const begun = last.then(async () => {
      const next = await waiting.next()
      return next.done === true || E.isLeft(failed) ? null : { outcome: work(next.value) }
    })
    last = begun.catch(() => undefined)
    return begun
  }
  const worker = async (): Promise<void> => {
    for (let begun = await begin(); begun !== null; begun = await begin()) {
      const done = await begun.outcome
      if (E.isLeft(done) && E.isRight(failed)) failed = done
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return failed
}
