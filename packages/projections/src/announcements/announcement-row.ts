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

/** Of the table, which is as every read model's. The resource stands where a customer would, the type as the status. */
export const announcementTable = { name: 'announcements', version: 1, row: AnnouncementRow }

const positionDigits = 20

/** The place of the `ordinal`-th thing that the event at a position tells: both with leading zeros. */
export const placeOf = (position: bigint, ordinal: number): string =>
  `${position.toString().padStart(positionDigits, '0')}.${ordinal}`

/** Before all places; and before what is remembered, behind them all. */
export const [firstPlace, behindPlaces] = ['', ':']

export const announcementIn = ({ id: place, merchantId, environment, row }: Found<AnnouncementRow>): Announcement => ({
  merchantId,
  environment,
  place,
  position: BigInt(place.slice(0, positionDigits)),
  id: row.id,
  type: row.type,
  resourceId: row.resourceId,
  sequence: row.sequence,
  stream: row.stream,
  revision: BigInt(row.revision),
  occurredAt: unixMs(row.occurredAt),
})
