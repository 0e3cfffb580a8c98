import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

type Failure = { readonly _tag: string }

/** A refusal or a failure of the billing core. `tag` names it, such as `AlreadySubscribed`; the message tells more. */
export class Refused extends Error {
  readonly tag: string
  constructor(failure: Failure) {
    super(JSON.stringify(failure, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    this.tag = failure._tag
  }
}

/** Runs a call of the billing core. It answers failures as values; a shop with exceptions throws them. */
export const done = async <L extends Failure, A>(task: TaskEither<L, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Refused(outcome.left)
  return outcome.right
}

/** A value that the code itself states. Throws if it is malformed. */
export const decoded = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error('a value in the code is malformed')
  return outcome.right
}
