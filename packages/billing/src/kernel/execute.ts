import {
  type Aggregate,
  type Environment,
  type EventContext,
  Merchant,
  type RecordedEvent,
  type UnixMs,
} from '@quittance/domain'
import {
  type Alongside,
  type Appended,
  type AppendFailure,
  type EventStore,
  type Head,
  noEvents,
} from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type AnsweredFrom, type ClaimLost, ClaimTaken } from './claims.ts'
import { eventId } from './derive.ts'
import { fold } from './fold.ts'
import { inQueueOf } from './queue-of-stream.ts'
import { traceAppend } from './tracing/append-span.ts'
import { inSpanUnlessFailed } from './tracing/spans.ts'

/**
 * The identity of a command. `commandId` is the same on every retry of one request or step, and so is its time `at`.
 * `alongside` (the idempotency claim) commits with the first append, or not at all.
 */
export type CommandContext = {
  readonly merchantId: string
  readonly environment: Environment
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string | null
  readonly actor: string
  readonly at: UnixMs
  readonly alongside?: Alongside
  /** From where it was answered before, if it wrote no event: later events do not change the answer. */
  readonly answeredFrom?: AnsweredFrom
  /** Called with where it is answered from, if it writes no event. */
  readonly answerFrom?: (from: AnsweredFrom) => void
  /** The command has never run before, so no stream can hold its events. */
  readonly isFirstRun?: true
}

/** The context of an operator's command, which belongs to no merchant. */
export type OperatorContext = Omit<CommandContext, 'merchantId'>

export type ExecuteFailure =
  /** The stream belongs to another merchant or environment: for the caller, it does not exist. */
  | { readonly _tag: 'ForeignStream'; readonly stream: string }
  | { readonly _tag: 'TooManyConflicts'; readonly stream: string }
  /** The domain rejected a step of a process that did not expect this rejection. */
  | { readonly _tag: 'StepRejected'; readonly stream: string; readonly rejection: string }
  | ClaimLost
  | { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }
  | { readonly _tag: 'OutcomeUnknown'; readonly cause: unknown }

/** A stream's events up to and including a command's own, and the state that they fold to. */
export type Executed<State> = { readonly state: State; readonly events: ReadonlyArray<RecordedEvent> }

export type Decide<State, Event, Rejection> = (
  state: State,
) => Decided<Event, Rejection> | Promise<Decided<Event, Rejection>>
type Decided<Event, Rejection> = E.Either<Rejection, ReadonlyArray<Event>>

const conflictsBeforeGivingUp = 30
const longestPauseMs = 64
const resendsWhenUnknown = 3

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

const executing =
  (isOnCreated: boolean) =>
  (store: EventStore) =>
  async <Command, Event, State, Rejection>(
    aggregate: Aggregate<Command, Event, State, unknown>,
    id: string,
    context: CommandContext,
    decide: Decide<State, Event, Rejection>,
  ): Promise<E.Either<Rejection | ExecuteFailure, Executed<State>>> => {
    const isNew = isOnCreated && context.isFirstRun === true
    const decided = await decideOn(store, aggregate, id, context, decide, isNew)
    return E.isLeft(decided) ? decided : decided.right
  }

/** Runs a command for a caller that handles its rejections: see `decideOn`. */
export const execute = executing(false)

/** As `execute`, on a stream that the command names by its own id, so that its first run finds no event there and reads none. */
export const executeOnCreated = executing(true)

/**
 * Loads a stream, decides, and appends at the head that it read, after the other commands of this process on the stream. A
 * command that finds its own id in the history appends nothing and returns the state right after its events, so that a
 * retry after a crash ends like the first try; one that had nothing to append returns the state that it found then. On a
 * conflict with another process it loads and decides again; while the outcome is unknown, it sends only the identical bytes.
 */
export const decideOn = <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, unknown>,
  id: string,
  context: CommandContext,
  decide: Decide<State, Event, Rejection>,
  isNew = false,
): Promise<E.Either<ExecuteFailure, E.Either<Rejection, Executed<State>>>> => {
  let isKnownEmpty = isNew
  return withoutConflict(store, `${aggregate.category}-${id}`, () => {
    const once = decideOnce(store, aggregate, id, context, decide, isKnownEmpty)
    isKnownEmpty = false
    return once
  })
}

/**
 * Runs a command that appends to a stream, after the others of this process. While another process is first (null), pauses
 * and runs it again.
 */
export const withoutConflict = <A>(
  store: EventStore,
  stream: string,
  decideAndAppend: () => Promise<E.Either<ExecuteFailure, A> | null>,
): Promise<E.Either<ExecuteFailure, A>> =>
  inSpanUnlessFailed(`command ${stream.slice(0, stream.indexOf('-'))}`, {}, () =>
    inQueueOf(store, stream, async () => {
      for (let conflicts = 0; conflicts <= conflictsBeforeGivingUp; conflicts++) {
        const done = await decideAndAppend()
        if (done !== null) return done
        await pause(Math.random() * Math.min(2 ** conflicts, longestPauseMs))
      }
      return E.left({ _tag: 'TooManyConflicts', stream })
    }),
  )

const decideOnce = async <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, unknown>,
  id: string,
  context: CommandContext,
  decide: Decide<State, Event, Rejection>,
  isKnownEmpty: boolean,
): Promise<E.Either<ExecuteFailure, E.Either<Rejection, Executed<State>>> | null> => {
  const stream = `${aggregate.category}-${id}`
  const slice = isKnownEmpty ? E.right({ events: [], head: noEvents }) : await store.readStream(stream)()
  if (E.isLeft(slice)) return slice
  const { events: history, head } = slice.right
  if (!isOwn(history, context)) return E.left({ _tag: 'ForeignStream', stream })
  const done = doneIn(context, stream, history)
  const state = fold(aggregate, done ?? history)
  if (done !== null) return E.right(E.right({ state, events: done }))

  const decision = await decide(state)
  if (E.isLeft(decision)) return E.right(decision)
  if (decision.right.length === 0) {
    context.answerFrom?.({ commandId: context.commandId, stream, revision: head.revision })
    return E.right(E.right({ state, events: history }))
  }

  const appended = await appendDecided(store, aggregate, id, context, { head, begin: history[0] }, decision.right)
  if (E.isLeft(appended)) return appended
  if (appended.right === 'conflict') return null
  const events = [...history, ...appended.right.events]
  return E.right(E.right({ state: decision.right.reduce(aggregate.decider.evolve, state), events }))
}

/** A stream as a command read it: its end, and its first event if it has any. */
type ReadStream = { readonly head: Head; readonly begin: RecordedEvent | undefined }

/** Appends what a command has decided at the head that it read; `conflict` if that was not the stream's end any more. */
export const appendDecided = async <Command, Event, State>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, unknown>,
  id: string,
  context: CommandContext,
  { head, begin }: ReadStream,
  decided: ReadonlyArray<Event>,
): Promise<E.Either<ExecuteFailure, Appended | 'conflict'>> => {
  const stream = `${aggregate.category}-${id}`
  const fresh = decided.map((event, ordinal) => ({
    id: eventId(context.commandId, stream, ordinal),
    ...aggregate.events.encodeEvent(event),
    context: contextOf(context),
  }))
  const appended = await traceAppend({ stream, events: fresh, begin }, () =>
    resolveUnknown(store, stream, head, fresh, context.alongside),
  )
  if (E.isRight(appended)) return appended
  const failure = appended.left
  switch (failure._tag) {
    case 'WrongExpectedRevision':
      return E.right('conflict')
    case 'AppendRefused':
      if (failure.cause instanceof ClaimTaken) return E.left({ _tag: 'ClaimLost' })
      throw failure.cause
    case 'OutcomeUnknown':
    case 'StoreUnavailable':
      return E.left(failure)
  }
}

/**
 * A stream as a command left it: up to its own last event or, if it wrote none, up to where it was answered from. Null if
 * the command has not got so far.
 */
export const doneIn = (
  { commandId, answeredFrom }: Pick<CommandContext, 'commandId' | 'answeredFrom'>,
  stream: string,
  history: ReadonlyArray<RecordedEvent>,
): ReadonlyArray<RecordedEvent> | null => {
  const own = history.findLastIndex(({ metadata }) => metadata.commandId === commandId)
  if (own >= 0) return history.slice(0, own + 1)
  if (answeredFrom?.commandId !== commandId || answeredFrom.stream !== stream) return null
  return history.filter(({ revision }) => revision <= answeredFrom.revision)
}

/** A merchant's own stream serves both environments, any other stream only one. */
export const isOwn = ([first]: ReadonlyArray<RecordedEvent>, { merchantId, environment }: CommandContext): boolean =>
  first === undefined ||
  (first.metadata.merchantId === merchantId &&
    (first.metadata.environment === environment || first.stream.startsWith(`${Merchant.category}-`)))

const contextOf = ({
  merchantId,
  environment,
  commandId,
  correlationId,
  causationId,
  actor,
  at,
}: CommandContext): EventContext => ({
  merchantId,
  environment,
  commandId,
  correlationId,
  causationId,
  actor,
  occurredAt: at,
})

/** Sends the identical bytes again while it is unknown whether they were written. */
const resolveUnknown = async (
  store: EventStore,
  ...[stream, head, events, alongside]: Parameters<EventStore['append']>
): Promise<E.Either<AppendFailure, Appended>> => {
  const send = () => store.append(stream, head, events, alongside)()
  let outcome = await send()
  for (let resends = 0; resends < resendsWhenUnknown; resends++) {
    if (E.isRight(outcome) || outcome.left._tag !== 'OutcomeUnknown') return outcome
    outcome = await send()
  }
  return outcome
}
