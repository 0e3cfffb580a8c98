import { right, shown } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

export { right }

/** A task of a public face, or the promise of an async function. */
type Work<L, A> = TaskEither<L, A> | Promise<E.Either<L, A>>

/** The answer of work that has to succeed. */
export const done = async <A>(work: Work<unknown, A>): Promise<A> =>
  right(await (typeof work === 'function' ? work() : work))

/** The `Left` of work that has to be rejected or to fail. */
export const refused = async <L>(work: Work<L, unknown>): Promise<L> => {
  const outcome = await (typeof work === 'function' ? work() : work)
  if (E.isLeft(outcome)) return outcome.left
  throw new Error(`unexpected right: ${shown(outcome.right)}`)
}

export const present = <A>(value: A | null | undefined): A => {
  if (value === null || value === undefined) throw new Error('something is missing')
  return value
}
