import {
  Announcement,
  Funding,
  FundingId,
  OwnMovement,
  ReceivedFunding,
  type RecordedEvent,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * Money of the merchant's own: announced, received, or both, and what the merchant's own hand has moved. `announcement` is
 * null where nobody announced it.
 */
export const FundingRow = t.strict({
  status: t.keyof({ announced: null, received: null, moved: null }),
  announcement: t.union([t.null, Announcement]),
  received: t.union([t.null, ReceivedFunding]),
  movement: t.union([t.null, OwnMovement]),
  createdAt: UnixMs,
})
export type FundingRow = t.TypeOf<typeof FundingRow>

const decode = decodedBy(Funding)

const fold = (row: O.Option<FundingRow>, recorded: RecordedEvent): O.Option<FundingRow> => {
  const event = decode(recorded)
  const before = O.toNullable(row)
  const createdAt = before?.createdAt ?? unixMs(recorded.metadata.occurredAt)
  switch (event.type) {
    case 'FundingAnnounced':
      return O.some({ ...nothing, status: 'announced', announcement: event.data, createdAt })
    case 'FundingReceived':
      return O.some({
        ...nothing,
        status: 'received',
        announcement: before?.announcement ?? null,
        received: event.data,
        createdAt,
      })
    case 'OwnMovementBooked':
      return O.some({ ...nothing, status: 'moved', movement: event.data, createdAt })
  }
}

const nothing = { announcement: null, received: null, movement: null }

/** Listed by status; what was received or moved is found by its transaction. */
export const fundings: ReadModel<FundingRow> = {
  name: 'fundings',
  version: 2,
  category: Funding.category,
  row: FundingRow,
  ids: FundingId,
  fold,
  columns: ({ status, received, movement }) => ({
    status,
    lookupKey: (received ?? movement)?.transactionHash ?? null,
  }),
}
