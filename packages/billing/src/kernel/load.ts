import type { Aggregate, RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { type Found, foldRow, type ReadModel, type Scope, type StateReadModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type CommandContext, doneIn, type Executed } from './execute.ts'
import { fold } from './fold.ts'

export type StoreUnavailable = { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

/** The row that recorded events fold to; `none` for a stream without a row. */
export const rowFrom = <Row>(
  model: ReadModel<Row>,
  id: string,
  events: ReadonlyArray<RecordedEvent>,
): O.Option<Found<Row>> => foundIn(id, events, foldRow(model, events))

const foundIn = <Row>(id: string, [first]: ReadonlyArray<RecordedEvent>, row: O.Option<Row>): O.Option<Found<Row>> => {
  if (first === undefined || O.isNone(row)) return O.none
  const { merchantId, environment } = first.metadata
  return O.some({ id, merchantId, environment, row: row.value })
}

/**
 * As `rowFrom`, for rows that nearly every request reads: keeps each row by its list of events, since a remembering store
 * returns the same list until there are more.
 */
export const keptRows = <Row>(model: ReadModel<Row>) => {
  const rows = new WeakMap<ReadonlyArray<RecordedEvent>, O.Option<Found<Row>>>()
  return (id: string, events: ReadonlyArray<RecordedEvent>): O.Option<Found<Row>> => {
    const known = rows.get(events)
    if (known !== undefined) return known
    const row = rowFrom(model, id, events)
    rows.set(events, row)
    return row
  }
}

/** A stream's events and the state that they fold to; the initial state without events. */
export const stateOf =
  (store: EventStore) =>
  async <Command, Event, State, Rejection>(
    aggregate: Aggregate<Command, Event, State, Rejection>,
    id: string,
  ): Promise<E.Either<StoreUnavailable, Executed<State>>> => {
    const slice = await store.readStream(`${aggregate.category}-${id}`)()
    if (E.isLeft(slice)) return slice
    const { events } = slice.right
    return E.right({ events, state: fold(aggregate, events) })
  }

/**
 * Retrieves a resource by folding its own stream, so it is always current. `none` if it does not exist, or belongs to
 * another merchant or environment.
 */
export const retrieve =
  (store: EventStore) =>
  async <Row>(
    model: ReadModel<Row>,
    id: string,
    scope: Scope,
  ): Promise<E.Either<StoreUnavailable, O.Option<Found<Row>>>> => {
    const found = await retrieveAnywhere(store)(model, id)
    return E.isLeft(found) ? found : E.right(O.filter((each: Found<Row>) => isIn(scope, each))(found.right))
  }

/** As `retrieve`, for any merchant: for ids that a ledger names. */
export const retrieveAnywhere =
  (store: EventStore) =>
  async <Row>(model: ReadModel<Row>, id: string): Promise<E.Either<StoreUnavailable, O.Option<Found<Row>>>> => {
    const slice = await store.readStream(`${model.category}-${id}`)()
    return E.isLeft(slice) ? slice : E.right(rowFrom(model, id, slice.right.events))
  }

export const isIn = ({ merchantId, environment }: Scope, found: Scope): boolean =>
  found.merchantId === merchantId && found.environment === environment

/** The row of a resource right after a command, by the state that the command has left. */
export const rowAfter =
  <State, Row>(model: StateReadModel<State, Row>, id: string) =>
  ({ state, events }: Executed<State>): Found<Row> => {
    const row = foundIn(id, events, model.ofState(state, events))
    if (O.isSome(row)) return row.value
    throw new Error(`${model.category}-${id} has no row after a command`)
  }

/** As `retrieve`, where a missing resource is a rejection. */
export const retrieveExisting =
  (store: EventStore) =>
  async <Row, const NotFound>(
    model: ReadModel<Row>,
    id: string,
    scope: Scope,
    notFound: NotFound,
  ): Promise<E.Either<StoreUnavailable | NotFound, Found<Row>>> => {
    const found = await retrieve(store)(model, id, scope)
    return E.isLeft(found) ? found : E.fromOption(() => notFound)(found.right)
  }

/**
 * Answers a repeated request from the resource that its first run left, without judging it again: the product that it sold
 * may be archived by now. Otherwise does the work.
 */
export const unlessDone =
  (store: EventStore, context: CommandContext) =>
  async <Row, L>(
    model: ReadModel<Row>,
    id: string,
    work: () => Promise<E.Either<L, Found<Row>>>,
  ): Promise<E.Either<L | StoreUnavailable, Found<Row>>> => {
    if (context.isFirstRun) return work()
    const stream = `${model.category}-${id}`
    const slice = await store.readStream(stream)()
    if (E.isLeft(slice)) return slice
    const done = rowFrom(model, id, doneIn(context, stream, slice.right.events) ?? [])
    return O.isSome(done) ? E.right(done.value) : work()
  }
