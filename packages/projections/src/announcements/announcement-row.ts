import { Count, EventId, EventType, PositiveCount, UnixMs, unixMs } from '@quittance/domain'
import * as t from 'io-ts'
import type { Found } from '../read-model.ts'
import type { Announcement } from './announcement.ts'

/** An announcement as its row holds it; its place is the row's id. */
export const AnnouncementRow = t.strict({
  id: EventId,
  type: EventType,
  resourceId: t.string,
  sequence: PositiveCount,
  stream: t.string,
  revision: Count,
  occurredAt: UnixMs,
})
export type AnnouncementRow = t.TypeOf<typeof AnnouncementRow>

/**
 * The table is like every read model's: its rows are listed under their resource, and their type is the status. It also
 * keeps what is remembered, subscriptions' own rows among it: with a new version of those it needs one too.
 */
export const announcementTable = { name: 'announcements', version: 5, row: AnnouncementRow }

/**
 * The place of the `ordinal`-th thing that the event at a position tells. How many digits a position has stands before
 * them, so that longer ones sort behind: those of a server have up to 39.
 */
export const placeOf = (position: bigint, ordinal: number): string => {
  const digits = position.toString()
  return `${digits.length.toString().padStart(2, '0')}${digits}.${ordinal}`
}

const positionOf = (place: string): bigint => BigInt(place.slice(2, place.indexOf('.')))

/** Before all places; and before what is remembered, behind them all. */
export const [firstPlace, behindPlaces] = ['', ':']

export const announcementIn = ({ id: place, merchantId, environment, row }: Found<AnnouncementRow>): Announcement => ({
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
