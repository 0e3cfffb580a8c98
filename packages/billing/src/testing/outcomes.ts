import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

export const right = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new Error(`unexpected left: ${shown(outcome.left)}`)
}

/** The answer of a task that has to succeed. */
export const done = async <A>(task: TaskEither<unknown, A>): Promise<A> => right(await task())

/** The reason of a task that has to be refused, or to fail. */
export const refused = async <L>(task: TaskEither<L, unknown>): Promise<L> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return outcome.left
  throw new Error(`unexpected right: ${shown(outcome.right)}`)
}

export const present = <A>(value: A | null | undefined): A => {
  if (value === null || value === undefined) throw new Error('something is missing')
  return value
}
