import { Count, EventId, EventType, PositiveCount, UnixMs, unixMs } from '@quittance/domain'
import * as t from 'io-ts'
import type { Found } from '../read-model.ts'
import type { PublicEvent } from './public-event.ts'

/** A public event as its row holds it; its place is the row's id. */
export const PublicEventRow = t.strict({
  id: EventId,
  type: EventType,
  resourceId: t.string,
  sequence: PositiveCount,
  stream: t.string,
  revision: Count,
  occurredAt: UnixMs,
})
export type PublicEventRow = t.TypeOf<typeof PublicEventRow>

/**
 * The table is like every read model's: its rows are listed under their resource, and their type is the status. It also
 * keeps what publishers remember, rows of subscriptions among it: with a new version of those it needs a new version too.
 */
export const publicEventTable = { name: 'announcements', version: 6, row: PublicEventRow }

/**
 * The place of the `ordinal`-th public event of the log's event at a position. The number of digits comes first, so that
 * longer positions sort behind shorter ones: those of a server have up to 39 digits.
 */
export const placeOf = (position: bigint, ordinal: number): string => {
  const digits = position.toString()
  return `${digits.length.toString().padStart(2, '0')}${digits}.${ordinal}`
}

const positionOf = (place: string): bigint => BigInt(place.slice(2, place.indexOf('.')))

/** The bounds of all places: behind them is what publishers remember. */
export const [firstPlace, behindPlaces] = ['', ':']

export const publicEventIn = ({ id: place, merchantId, environment, row }: Found<PublicEventRow>): PublicEvent => ({
  merchantId,
  environment,
  place,
  position: positionOf(place),
  id: row.id,
  type: row.type,
  resourceId: row.resourceId,
  sequence: row.sequence,
  stream: row.stream,
  revision: BigInt(row.revision),
  occurredAt: unixMs(row.occurredAt),
})
