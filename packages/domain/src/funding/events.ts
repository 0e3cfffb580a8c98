import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { CreditOrdinal, CreditOrigin, LedgerSequence, OperationIndex, TransactionHash } from '../shared/credit.ts'
import { fact, facts } from '../shared/fact.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Why money is the merchant's or the operator's own: `opening` it created the account; `own_account` it came from another
 * account of this service; `declared` it came from a declared funding account; `announced` somebody had announced it.
 */
export const FundingReason = t.keyof(
  { opening: null, own_account: null, declared: null, announced: null },
  'FundingReason',
)
export type FundingReason = t.TypeOf<typeof FundingReason>

/** A payment that somebody announces. Null: it may come from anybody, be of any asset or of any amount. */
export const Announcement = strict(
  {
    from: orNull(AccountId),
    assetId: orNull(AssetId),
    amount: orNull(Stroops),
    announcedAt: UnixMs,
    expiresAt: UnixMs,
  },
  'Announcement',
)
export type Announcement = t.TypeOf<typeof Announcement>

/** Money that a closed ledger moved to the settlement account `account`. It is identified as a credit is. */
export const ReceivedFunding = t.intersection(
  [
    strict({
      reason: FundingReason,
      account: AccountId,
      from: AccountId,
      assetId: AssetId,
      amount: Stroops,
      transactionHash: TransactionHash,
      operationIndex: OperationIndex,
      ledger: LedgerSequence,
      closedAt: UnixMs,
    }),
    partial({ ordinal: CreditOrdinal, origin: CreditOrigin }),
  ],
  'ReceivedFunding',
)
export type ReceivedFunding = t.TypeOf<typeof ReceivedFunding>

export const FundingEvent = facts([
  // The one payment that fits it first is its own.
  fact('FundingAnnounced', Announcement),
  fact('FundingReceived', ReceivedFunding),
])
export type FundingEvent = t.TypeOf<typeof FundingEvent>
