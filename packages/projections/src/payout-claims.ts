import { PayoutBook, PayoutClaim, type RecordedEvent } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** The payouts of one asset that have not ended, the oldest claim first. */
export const PayoutClaimsRow = t.strict({ claims: t.readonlyArray(PayoutClaim) })
export type PayoutClaimsRow = t.TypeOf<typeof PayoutClaimsRow>

const decode = decodedBy(PayoutBook)

const fold = (row: O.Option<PayoutClaimsRow>, recorded: RecordedEvent): O.Option<PayoutClaimsRow> => {
  const event = decode(recorded)
  const claims = O.match(
    (): PayoutClaimsRow['claims'] => [],
    (known: PayoutClaimsRow) => known.claims,
  )(row)
  switch (event.type) {
    case 'PayoutClaimed':
      return O.some({ claims: [...claims, event.data] })
    case 'PayoutClaimEnded':
      return O.some({ claims: claims.filter(({ payoutId }) => payoutId !== event.data.payoutId) })
    case 'PayoutScheduleSet':
    case 'PayoutScheduleRemoved':
    case 'PayoutSkipped':
      return row
  }
}

/** What is claimed is due until it has ended: a crash may have come right after the claim. */
export const payoutClaims: ReadModel<PayoutClaimsRow> = {
  name: 'payout_claims',
  version: 1,
  category: PayoutBook.category,
  row: PayoutClaimsRow,
  fold,
  columns: ({ claims: [oldest] }) => ({ dueAt: oldest?.claimedAt ?? null }),
}
