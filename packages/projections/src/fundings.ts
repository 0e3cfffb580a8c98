import {
  Announcement,
  Funding,
  FundingId,
  ReceivedFunding,
  type RecordedEvent,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** Money of the merchant's own, announced, received, or both. `announcement` is null where nobody announced it. */
export const FundingRow = t.strict({
  status: t.keyof({ announced: null, received: null }),
  announcement: t.union([t.null, Announcement]),
  received: t.union([t.null, ReceivedFunding]),
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
      return O.some({ status: 'announced', announcement: event.data, received: null, createdAt })
    case 'FundingReceived':
      return O.some({ status: 'received', announcement: before?.announcement ?? null, received: event.data, createdAt })
  }
}

/** Listed by status; what was received is found by its transaction. */
export const fundings: ReadModel<FundingRow> = {
  name: 'fundings',
  version: 1,
  category: Funding.category,
  row: FundingRow,
  ids: FundingId,
  fold,
  columns: ({ status, received }) => ({ status, lookupKey: received?.transactionHash ?? null }),
}
