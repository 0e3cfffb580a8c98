import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../kernel/execute.ts'

const failures: Readonly<Record<ExecuteFailure['_tag'], true>> = {
  ForeignStream: true,
  TooManyConflicts: true,
  StepRejected: true,
  ClaimLost: true,
  StoreUnavailable: true,
  OutcomeUnknown: true,
}

const isFailure = (left: { readonly _tag: string }): left is ExecuteFailure => Object.hasOwn(failures, left._tag)

/** To be replaced by `stepUnless`. */
export const unlessRejected = <A>(
  outcome: E.Either<{ readonly _tag: string }, A>,
): E.Either<ExecuteFailure, A | null> => {
  if (E.isRight(outcome)) return outcome
  return isFailure(outcome.left) ? E.left(outcome.left) : E.right(null)
}

/** To be replaced by `step`. */
export const withoutRejection = <A>(outcome: E.Either<{ readonly _tag: string }, A>): E.Either<ExecuteFailure, A> => {
  if (E.isRight(outcome)) return outcome
  if (isFailure(outcome.left)) return E.left(outcome.left)
  throw new Error(`a process was refused its step: ${outcome.left._tag}`)
}
