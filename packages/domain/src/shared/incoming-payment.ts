import * as t from 'io-ts'
import { AccountId, AssetId } from './asset.ts'
import { brandedInteger, brandedString, orNull } from './branded.ts'
import { ExceptionId } from './ids.ts'
import { MandateId } from './mandate-id.ts'
import { partial, strict } from './strict.ts'
import { Stroops } from './stroops.ts'
import { Text } from './text.ts'
import { PositiveCount, UnixMs } from './units.ts'

/** The hash of a Stellar transaction: 64 lower-case hex digits. */
export const TransactionHash = brandedString<{ readonly TransactionHash: symbol }>('TransactionHash', (text) =>
  /^[0-9a-f]{64}$/.test(text),
)
export type TransactionHash = t.TypeOf<typeof TransactionHash>

/** The number of a closed ledger. */
export const LedgerSequence = brandedInteger<{ readonly LedgerSequence: symbol }>(
  'LedgerSequence',
  (integer) => integer > 0 && integer <= 0xffff_ffff,
)
export type LedgerSequence = t.TypeOf<typeof LedgerSequence>

/** The place of an operation in its transaction, from 0. */
export const OperationIndex = brandedInteger<{ readonly OperationIndex: symbol }>(
  'OperationIndex',
  (integer) => integer >= 0 && integer < 100,
)
export type OperationIndex = t.TypeOf<typeof OperationIndex>

/** The place of an incoming payment among those of its operation, from 1: the first has none. A contract call may pay many times. */
export const IncomingPaymentOrdinal = brandedInteger<{ readonly IncomingPaymentOrdinal: symbol }>(
  'IncomingPaymentOrdinal',
  (integer) => integer > 0,
)
export type IncomingPaymentOrdinal = t.TypeOf<typeof IncomingPaymentOrdinal>

/** The number inside an `M…` address, as unsigned decimal digits of 64 bits. Source: SEP-23. */
export const MuxedId = brandedString<{ readonly MuxedId: symbol }>(
  'MuxedId',
  (text) => /^(?:0|[1-9][0-9]{0,19})$/.test(text) && BigInt(text) < 2n ** 64n,
)
export type MuxedId = t.TypeOf<typeof MuxedId>

/** The ways of being paid. */
export const IncomingPaymentKind = t.keyof(
  {
    payment: null,
    path_payment: null,
    account_created: null,
    account_merged: null,
    claimable_balance_claimed: null,
    contract_transfer: null,
    contract_mint: null,
    contract_call: null,
  },
  'IncomingPaymentKind',
)
export type IncomingPaymentKind = t.TypeOf<typeof IncomingPaymentKind>

/** How money came. `fromMuxedId` and `muxedId` are those of the sender's address and of ours; a contract is one that paid. */
export const IncomingPaymentOrigin = strict(
  { kind: IncomingPaymentKind, fromMuxedId: orNull(MuxedId), fromContract: orNull(Text), muxedId: orNull(MuxedId) },
  'IncomingPaymentOrigin',
)
export type IncomingPaymentOrigin = t.TypeOf<typeof IncomingPaymentOrigin>

/**
 * How many payments of one ledger, to one session or account and in one asset, an entry stands for; `largest` is the
 * largest of them. `several`: not all came from one sender in the same way.
 */
export const IncomingPaymentSum = strict(
  { count: PositiveCount, largest: Stroops, senders: t.keyof({ one: null, several: null }) },
  'IncomingPaymentSum',
)
export type IncomingPaymentSum = t.TypeOf<typeof IncomingPaymentSum>

/**
 * Value that a closed ledger moved to one of our accounts. It is identified by transaction hash, operation index and
 * ordinal; `amount` is what was delivered, `closedAt` the close time of the ledger. Of a fee bump, `transactionHash` is
 * the outer one, which the ledger lists, and `innerHash` that of the transaction inside, which the payer's wallet knows.
 * `origin` is absent from older records. `exceptionId`: money that fitted nowhere, until an operator applied it here. `mandateId`: it was collected by a mandate, from the account of the customer who signed that.
 * `sum`: it stands for several payments of its ledger, of which it names the first.
 */
export const IncomingPayment = t.intersection(
  [
    strict({
      transactionHash: TransactionHash,
      operationIndex: OperationIndex,
      ledger: LedgerSequence,
      closedAt: UnixMs,
      from: AccountId,
      amount: Stroops,
      assetId: AssetId,
    }),
    partial({
      ordinal: IncomingPaymentOrdinal,
      innerHash: TransactionHash,
      origin: IncomingPaymentOrigin,
      exceptionId: ExceptionId,
      mandateId: MandateId,
      sum: IncomingPaymentSum,
    }),
  ],
  'IncomingPayment',
)
export type IncomingPayment = t.TypeOf<typeof IncomingPayment>

/** Whether the transaction of this hash brought an incoming payment, by itself or inside a fee bump. */
export const isBroughtBy = ({ transactionHash, innerHash }: IncomingPayment, hash: TransactionHash): boolean =>
  hash === transactionHash || hash === innerHash

/** Whether two incoming payments are one and the same movement. */
export const isSameIncomingPayment = (one: IncomingPayment, other: IncomingPayment): boolean =>
  one.transactionHash === other.transactionHash &&
  one.operationIndex === other.operationIndex &&
  one.ordinal === other.ordinal
