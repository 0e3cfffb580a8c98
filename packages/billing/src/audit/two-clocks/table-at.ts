import type { Environment, UnixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { Found, Page, PageRequest, ReadModel, Table } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isIn, rowFrom } from '../../kernel/load.ts'
import { everyRow } from '../../services/every-row.ts'
import { LogUnreadable } from './log-unreadable.ts'

/** How a row of today leads to the same row at a moment. */
export type RowsOf<Row> = {
  readonly model: ReadModel<Row>
  /** Whether a row never loses the look-up key that it once had: then those of today that have it are all. */
  readonly keepsLookupKey: boolean
  /** The stream of a row; by default the one with its id. Null if there is none. */
  readonly streamOf?: (found: Found<Row>) => Promise<string | null>
  /** All ids whose rows are listed under an id; by default that one. */
  readonly idsOf?: (id: string) => Promise<ReadonlyArray<string>>
}

/** The log at a moment, and before when rows of today must have been made to be of it; null if that is not known. */
export type TableMoment = {
  readonly store: EventStore
  readonly madeBefore: (environment: Environment) => UnixMs | null
}

/** How many rows of today are looked at together where a filter leaves some out. */
const rowsAtOnce = 100

const notOfThePast = (): never => {
  throw new Error('what is due, and whose, is asked of today alone')
}

/**
 * A table as it was at a moment. No row ever vanishes, and none leaves the id that it is listed under: so the rows of today
 * are gone through, each is folded again from the events of the moment, and the filters judge that row. It costs a stream for
 * each row that is gone through: those before the page where a filter keeps few of them.
 */
export const tableAt = <Row>(
  { store, madeBefore }: TableMoment,
  today: Table<Row>,
  { model, keepsLookupKey, streamOf, idsOf = async (id) => [id] }: RowsOf<Row>,
): Table<Row> => {
  const rowAt = async (found: Found<Row>): Promise<Found<Row> | null> => {
    const stream = streamOf === undefined ? `${model.category}-${found.id}` : await streamOf(found)
    if (stream === null) return null
    const slice = await store.readStream(stream)()
    if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
    const { rowOf } = model
    const own =
      rowOf === undefined ? slice.right.events : slice.right.events.filter((event) => rowOf(event) === found.id)
    return O.toNullable(rowFrom(model, found.id, own))
  }
  const rowsAt = async (rows: ReadonlyArray<Found<Row>>): Promise<ReadonlyArray<Found<Row>>> =>
    (await Promise.all(rows.map(rowAt))).filter((row) => row !== null)
  const filterOf = async (request: PageRequest): Promise<(found: Found<Row>) => boolean> => {
    const { listedUnder, status, lookupKey, alsoId } = request
    const ids = listedUnder === undefined ? null : new Set(await idsOf(listedUnder))
    return (found) => {
      const columns = model.columns(found.row, found.id)
      return (
        isIn(request, found) &&
        (ids === null || ids.has(columns.listedUnder ?? '')) &&
        (status === undefined || columns.status === status) &&
        (lookupKey === undefined || columns.lookupKey === lookupKey || found.id === alsoId)
      )
    }
  }
  const page = async (request: PageRequest): Promise<Page<Row>> => {
    const isBackward = request.endingBefore !== undefined
    const isKept = await filterOf(request)
    const kept: Array<Found<Row>> = []
    let [next, hasMore] = [candidates(request), true]
    while (hasMore && kept.length <= request.limit) {
      const read = await today.page(next)
      hasMore = read.hasMore
      const last = isBackward ? read.rows[0] : read.rows.at(-1)
      if (last === undefined) break
      const rows = (await rowsAt(read.rows)).filter(isKept)
      kept.push(...(isBackward ? rows.toReversed() : rows))
      next = { ...next, ...(isBackward ? { endingBefore: last.id } : { startingAfter: last.id }) }
    }
    const rows = kept.slice(0, request.limit)
    return { rows: isBackward ? rows.reverse() : rows, hasMore: kept.length > request.limit }
  }
  /** The rows of today among which those of the page must be. */
  const candidates = ({ status, lookupKey, alsoId, createdBefore, ...request }: PageRequest): PageRequest => {
    const byKey = keepsLookupKey && lookupKey !== undefined
    const ofMoment = model.ids === undefined ? null : madeBefore(request.environment)
    const before = [createdBefore, ofMoment].filter((bound) => bound != null)
    return {
      ...request,
      limit: status === undefined && lookupKey === undefined ? request.limit + 1 : rowsAtOnce,
      ...(byKey ? { lookupKey, ...(alsoId === undefined ? {} : { alsoId }) } : {}),
      ...(before.length === 0 ? {} : { createdBefore: before.reduce((one, other) => (one < other ? one : other)) }),
    }
  }
  return {
    page,
    withId: async (id) => {
      const found = await today.withId(id)
      return found === null ? null : rowAt(found)
    },
    withKey: async (lookupKey) => {
      if (!keepsLookupKey) return notOfThePast()
      const rows = await rowsAt(await today.withKey(lookupKey))
      return rows.filter(({ row, id }) => model.columns(row, id).lookupKey === lookupKey)
    },
    withKeyUnder: async (scope, listedUnder, lookupKey) => {
      const under = (request: PageRequest) => page({ ...request, listedUnder, lookupKey })
      return (await Array.fromAsync(everyRow(under, scope))).reverse()
    },
    due: notOfThePast,
    ownersDue: notOfThePast,
    ofStatus: notOfThePast,
    nextDue: notOfThePast,
    countDue: notOfThePast,
    all: notOfThePast,
  }
}
