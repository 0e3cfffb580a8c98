import type { RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { type Found, foldRow, type ReadModel, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, doneIn } from './execute.ts'

export type StoreUnavailable = { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

/** A resource's row as recorded events make it; `none` for a stream without a row. */
export const rowFrom = <Row>(
  model: ReadModel<Row>,
  id: string,
  events: ReadonlyArray<RecordedEvent>,
): O.Option<Found<Row>> => {
  const [first] = events
  if (first === undefined) return O.none
  const { merchantId, environment } = first.metadata
  return O.map((row: Row) => ({ id, merchantId, environment, row }))(foldRow(model, events))
}

/**
 * As `rowFrom`, for what nearly every request reads: the row is kept with the list of events, and a store that remembers
 * answers with the same list until there is more.
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

/**
 * Retrieves by id, by folding the resource's own stream: it is never behind. `none` for what does not exist, or belongs
 * to another merchant or environment.
 */
export const retrieve =
  (store: EventStore) =>
  <Row>(model: ReadModel<Row>, id: string, scope: Scope): TE.TaskEither<StoreUnavailable, O.Option<Found<Row>>> =>
    pipe(retrieveAnywhere(store)(model, id), TE.map(O.filter((found) => isIn(scope, found))))

/** As `retrieve`, whoever's it is: for what names itself in public, such as a checkout in a memo. */
export const retrieveAnywhere =
  (store: EventStore) =>
  <Row>(model: ReadModel<Row>, id: string): TE.TaskEither<StoreUnavailable, O.Option<Found<Row>>> =>
    TE.map(({ events }: { readonly events: ReadonlyArray<RecordedEvent> }) => rowFrom(model, id, events))(
      store.readStream(`${model.category}-${id}`),
    )

export const isIn = ({ merchantId, environment }: Scope, found: Scope): boolean =>
  found.merchantId === merchantId && found.environment === environment

/** The row that a command's own events have just made. */
export const rowAfter =
  <Row>(model: ReadModel<Row>, id: string) =>
  ({ events }: { readonly events: ReadonlyArray<RecordedEvent> }): Found<Row> => {
    const row = rowFrom(model, id, events)
    if (O.isSome(row)) return row.value
    throw new Error(`${model.category}-${id} has no row after a command`)
  }

export const orNotFound =
  <L>(rejection: L) =>
  <A>(found: O.Option<A>): E.Either<L, A> =>
    E.fromOption(() => rejection)(found)

/**
 * Answers a repeated request from what its first run has left in `id`, without judging it anew: the product it sold
 * may be archived since. Otherwise does the work.
 */
export const unlessDone =
  (store: EventStore, context: CommandContext) =>
  <Row, L>(
    model: ReadModel<Row>,
    id: string,
    work: TE.TaskEither<L, Found<Row>>,
  ): TE.TaskEither<L | StoreUnavailable, Found<Row>> =>
    context.isFirstRun
      ? work
      : pipe(
          store.readStream(`${model.category}-${id}`),
          TE.map(({ events }) => doneIn(context, `${model.category}-${id}`, events) ?? []),
          TE.chainW((done) => O.match(() => work, TE.right<L, Found<Row>>)(rowFrom(model, id, done))),
        )
