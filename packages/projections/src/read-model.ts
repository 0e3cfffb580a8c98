import type { Environment, RecordedEvent, UnixMs } from '@quittance/domain'
import { none, type Option } from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'

/**
 * A read model: a pure fold of one category of streams to rows, usually one a stream, and the columns by which rows are found.
 *
 * The same fold renders a resource from its stream and feeds the table, so a list can never say something else than a
 * retrieval. `fold` gets every event of the category in order; `none` before the first.
 */
export interface ReadModel<Row> {
  readonly name: string
  readonly version: number
  readonly category: string
  readonly row: t.Type<Row, unknown>
  readonly fold: (row: Option<Row>, event: RecordedEvent) => Option<Row>
  /** Which row an event belongs to, or null; by default the stream's own, by the id in its name. */
  readonly rowOf?: (event: RecordedEvent) => string | null
  /** The kind of the rows' ids, where these begin with the moment at which they were made: what `created` looks at. */
  readonly ids?: { readonly prefix: string }
  readonly columns: (row: Row, id: string) => Columns
  /** The rows are found by their ids alone: their table has no other index. */
  readonly isFoundByIdAlone?: true
}

/**
 * How a row is found. `listedUnder` (a customer, or the payment, asset or account that the rows belong to), `status` and
 * `lookupKey` (a keyed hash, a product's id…) are filters; `dueAt` (Unix milliseconds) puts the row on the model's to-do
 * list.
 */
export type Columns = {
  readonly listedUnder?: string | null
  readonly status?: string
  readonly lookupKey?: string | null
  readonly dueAt?: number | null
}

/** The owner of rows: no one sees those of another merchant or of the other environment. */
export type Scope = { readonly merchantId: string; readonly environment: Environment }

/** A row with its id (what follows the category in the stream's name) and its scope. */
export type Found<Row> = Scope & { readonly id: string; readonly row: Row }

/**
 * Newest first. `startingAfter` and `endingBefore` are ids and exclusive; at most one of them is given. Created from
 * `createdFrom` on and before `createdBefore`, by the moments in the ids.
 */
export type PageRequest = Scope & {
  readonly listedUnder?: string
  readonly status?: string
  readonly lookupKey?: string
  /** A row that belongs to the list as well, whatever its look-up key is. The other filters hold for it too. */
  readonly alsoId?: string
  readonly startingAfter?: string
  readonly endingBefore?: string
  readonly createdFrom?: UnixMs
  readonly createdBefore?: UnixMs
  readonly limit: number
}

/** A page of rows, and whether there are more. */
export type Page<Row> = { readonly rows: ReadonlyArray<Found<Row>>; readonly hasMore: boolean }

/** Folds the recorded events of one stream, as its row would be. */
export const foldRow = <Row>(model: ReadModel<Row>, events: ReadonlyArray<RecordedEvent>): Option<Row> =>
  events.reduce<Option<Row>>(model.fold, none)
