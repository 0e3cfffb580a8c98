import * as E from 'fp-ts/lib/Either.js'

/**
 * Works on several things at once, so that what each of them writes can share a commit; the order among them is nobody's
 * concern. After a failure nothing new is begun, and the first one is answered once all that was under way has ended. Throws what
 * work throws, a defect, once nothing is under way any more.
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
