import { PayoutBook, PayoutBookState } from '@quittance/domain'
import { stateModel } from './state-model.ts'

/** A claim is due until it has ended: a crash may have come right after it. */
export const payoutClaims = stateModel({
  name: 'payout_claims',
  version: 2,
  aggregate: PayoutBook,
  record: PayoutBookState,
  columns: ({ claims: [oldest] }) => ({ dueAt: oldest?.claimedAt ?? null }),
})
