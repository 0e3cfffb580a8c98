import type { Aggregate } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandContext, type Decide, decideOn, type Executed, type ExecuteFailure } from './execute.ts'

/** Runs one step of a process, which asks only for what must be possible: a rejection is the failure `StepRejected`. */
export const step =
  (store: EventStore) =>
  async <Command, Event, State, Rejection extends Tagged>(
    ...request: StepRequest<Command, Event, State, Rejection>
  ): Promise<E.Either<ExecuteFailure, Executed<State>>> => {
    const decided = await decideOn(store, ...request)
    if (E.isLeft(decided)) return decided
    return E.mapLeft((rejection: Rejection) => stepRejected(request, rejection))(decided.right)
  }

/**
 * As `step`, if another process may have been first: null for an `expected` rejection, since the stream then says what the
 * other process did.
 */
export const stepUnless =
  (store: EventStore) =>
  async <Command, Event, State, Rejection extends Tagged>(
    expected: ReadonlyArray<Rejection['_tag']>,
    ...request: StepRequest<Command, Event, State, Rejection>
  ): Promise<E.Either<ExecuteFailure, Executed<State> | null>> => {
    const decided = await decideOn(store, ...request)
    if (E.isLeft(decided)) return decided
    if (E.isRight(decided.right)) return decided.right
    const rejection = decided.right.left
    return expected.includes(rejection._tag) ? E.right(null) : E.left(stepRejected(request, rejection))
  }

/** As `step`, for a caller who is told of the `expected` rejections. */
export const executeExpecting =
  (store: EventStore) =>
  async <Command, Event, State, Rejection extends Tagged, Tag extends Rejection['_tag']>(
    expected: ReadonlyArray<Tag>,
    ...asked: StepRequest<Command, Event, State, Rejection>
  ): Promise<E.Either<ExecuteFailure | Extract<Rejection, { readonly _tag: Tag }>, Executed<State>>> => {
    const tags: ReadonlyArray<string> = expected
    const isExpected = (rejection: Rejection): rejection is Extract<Rejection, { readonly _tag: Tag }> =>
      tags.includes(rejection._tag)
    const decided = await decideOn(store, ...asked)
    if (E.isLeft(decided)) return decided
    if (E.isRight(decided.right)) return decided.right
    const rejection = decided.right.left
    return E.left(isExpected(rejection) ? rejection : stepRejected(asked, rejection))
  }

type Tagged = { readonly _tag: string }

type StepRequest<Command, Event, State, Rejection> = readonly [
  aggregate: Aggregate<Command, Event, State, unknown>,
  id: string,
  context: CommandContext,
  decide: Decide<State, Event, Rejection>,
]

/** The failure of a step that the domain rejected. */
export const stepRejected = (
  [{ category }, id]: readonly [{ readonly category: string }, string, ...ReadonlyArray<unknown>],
  { _tag: rejection }: Tagged,
): ExecuteFailure => ({ _tag: 'StepRejected', stream: `${category}-${id}`, rejection })
