import type { RecordedEvent } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadModel } from './read-model.ts'
import { decodeRow, type StoredRow } from './table-rows.ts'

/** What says which events a row has. */
type Owned = Pick<ReadModel<never>, 'category' | 'rowOf'>

/** Gives the row that an event belongs to; null for none. */
export const rowIdOf = ({ category, rowOf }: Owned): ((event: RecordedEvent) => string | null) => {
  const prefix = `${category}-`
  return (event) => {
    if (!event.stream.startsWith(prefix)) return null
    return rowOf === undefined ? event.stream.slice(prefix.length) : rowOf(event)
  }
}

/** Whether the row of an event starts from nothing, so that there is none to be read. */
export const startsRow = ({ rowOf }: Owned, { revision }: RecordedEvent): boolean =>
  revision === 0n && rowOf === undefined

/** What the columns of a row hold. The owner is that of the event that made the row. */
export type RowValues = {
  readonly id: string
  readonly merchantId: string
  readonly environment: string
  readonly listedUnder: string | null
  readonly status: string | null
  readonly lookupKey: string | null
  readonly dueAt: number | null
  readonly revision: number
  readonly body: string
}

type At = {
  readonly id: string
  readonly revision: number
  readonly scope: Pick<RowValues, 'merchantId' | 'environment'>
}

export const rowValues = <Row>(model: ReadModel<Row>, row: Row, { id, revision, scope }: At): RowValues => {
  const { listedUnder = null, status = null, lookupKey = null, dueAt = null } = model.columns(row, id)
  const { merchantId, environment } = scope
  const body = JSON.stringify(model.row.encode(row))
  return { id, merchantId, environment, listedUnder, status, lookupKey, dueAt, revision, body }
}

/** An event, and the row that it belongs to. */
type Belonging = { readonly id: string; readonly event: RecordedEvent }

type Events = ReadonlyArray<RecordedEvent>

const firstWordOf = (name: string): string => name.split('-', 1)[0] ?? ''

const sortedBefore = new WeakMap<Events, ReadonlyMap<string, Events>>()

/** Events by the first words of their streams, sorted out once for all read models that take the same list. */
const byFirstWord = (events: Events): ReadonlyMap<string, Events> => {
  const before = sortedBefore.get(events)
  if (before !== undefined) return before
  const sorted = Map.groupBy(events, ({ stream }) => firstWordOf(stream))
  sortedBefore.set(events, sorted)
  return sorted
}

/** Picks the events that belong to a row. Nobody may change the list meanwhile. */
export const belongingOf = (model: Owned): ((events: Events) => ReadonlyArray<Belonging>) => {
  const idOf = rowIdOf(model)
  const firstWord = firstWordOf(model.category)
  return (events) => {
    const own: Belonging[] = []
    for (const event of byFirstWord(events).get(firstWord) ?? []) {
      const id = idOf(event)
      if (id !== null) own.push({ id, event })
    }
    return own
  }
}

/** The rows that have to be known before these events are folded: those that do not start with them. */
export const idsToRead = (model: Owned, own: ReadonlyArray<Belonging>): ReadonlyArray<string> => {
  const firsts = new Map<string, RecordedEvent>()
  for (const { id, event } of own) if (!firsts.has(id)) firsts.set(id, event)
  return [...firsts].flatMap(([id, event]) => (startsRow(model, event) ? [] : [id]))
}

/** A row, the revision of the last event that it has seen, and its owner. */
export type Known<Row> = {
  readonly row: Row
  readonly revision: number
  readonly scope: Pick<RowValues, 'merchantId' | 'environment'>
}

export const knownRow = <Row>(model: ReadModel<Row>, stored: StoredRow): Known<Row> => {
  const { row, ...scope } = decodeRow(model, stored)
  return { row, revision: Number(stored.revision), scope }
}

/**
 * Folds events into the rows that are known of before them, and gives each changed row once. An event that a row has seen
 * changes nothing, as in `project`.
 */
export const changedRows = <Row>(
  model: ReadModel<Row>,
  own: ReadonlyArray<Belonging>,
  before: ReadonlyMap<string, Known<Row>>,
): ReadonlyArray<RowValues> => {
  const changed = new Map<string, Known<Row>>()
  for (const { id, event } of own) {
    const known = startsRow(model, event) ? undefined : (changed.get(id) ?? before.get(id))
    const revision = Number(event.revision)
    if (known !== undefined && known.revision >= revision) continue
    const after = model.fold(known === undefined ? O.none : O.some(known.row), event)
    if (O.isSome(after)) changed.set(id, { row: after.value, revision, scope: known?.scope ?? event.metadata })
  }
  return [...changed].map(([id, { row, revision, scope }]) => rowValues(model, row, { id, revision, scope }))
}
