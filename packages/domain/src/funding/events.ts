import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import {
  IncomingPaymentOrdinal,
  IncomingPaymentOrigin,
  LedgerSequence,
  OperationIndex,
  TransactionHash,
} from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Why money is the merchant's or the operator's own: `opening` it created the account; `own_account` it came from another
 * account of this service; `declared` it came from a declared funding account; `announced` it was announced.
 */
export const FundingReason = t.keyof(
  { opening: null, own_account: null, declared: null, announced: null },
  'FundingReason',
)
export type FundingReason = t.TypeOf<typeof FundingReason>

/** A payment that is announced. Null: any sender, any asset or any amount. */
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
    partial({ ordinal: IncomingPaymentOrdinal, origin: IncomingPaymentOrigin }),
  ],
  'ReceivedFunding',
)
export type ReceivedFunding = t.TypeOf<typeof ReceivedFunding>

/**
 * What a transaction did to one balance of a settlement account by the merchant's own hand: money that the service neither
 * received nor paid. `movements` are its kinds in the ledger's names; `operationIndex` is that of the first, 0 of a fee.
 */
export const OwnMovement = strict(
  {
    account: AccountId,
    assetId: AssetId,
    amount: Stroops,
    direction: t.keyof({ gain: null, loss: null }),
    movements: t.readonlyArray(Text),
    transactionHash: TransactionHash,
    operationIndex: OperationIndex,
    ledger: LedgerSequence,
    closedAt: UnixMs,
  },
  'OwnMovement',
)
export type OwnMovement = t.TypeOf<typeof OwnMovement>

/** What is recorded of money that a merchant sends to its own settlement account. */
export const FundingEvent = facts([
  // The one payment that fits it first is its own.
  fact('FundingAnnounced', Announcement),
  fact('FundingReceived', ReceivedFunding),
  fact('OwnMovementBooked', OwnMovement),
])
export type FundingEvent = t.TypeOf<typeof FundingEvent>
