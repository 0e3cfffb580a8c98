import * as t from 'io-ts'
import { AccountId, AssetId } from './asset.ts'
import { brandedInteger, brandedString } from './branded.ts'
import { strict } from './strict.ts'
import { Stroops } from './stroops.ts'
import { UnixMs } from './units.ts'

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

/** The place of a credit among those of its operation, from 1: the first has none. */
export const CreditOrdinal = brandedInteger<{ readonly CreditOrdinal: symbol }>(
  'CreditOrdinal',
  (integer) => integer > 0,
)
export type CreditOrdinal = t.TypeOf<typeof CreditOrdinal>

/** Tells the further credits of one operation apart: a contract call may pay many times. */
export const FurtherCredit = t.exact(t.partial({ ordinal: CreditOrdinal }))

/**
 * Value that a closed ledger moved to one of our accounts. It is identified by transaction hash, operation index and
 * ordinal; `amount` is what was delivered, `closedAt` the close time of the ledger. Of a fee bump, `transactionHash` is
 * the outer one, which the ledger lists, and `innerHash` that of the transaction inside, which the payer's wallet knows.
 */
export const Credit = t.intersection(
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
    t.exact(t.partial({ ordinal: CreditOrdinal, innerHash: TransactionHash })),
  ],
  'Credit',
)
export type Credit = t.TypeOf<typeof Credit>

/** Whether a credit was brought by the transaction of this hash, be it inside another's fee bump. */
export const isBroughtBy = ({ transactionHash, innerHash }: Credit, hash: TransactionHash): boolean =>
  hash === transactionHash || hash === innerHash

/** Whether two credits are one and the same movement. */
export const isSameCredit = (one: Credit, other: Credit): boolean =>
  one.transactionHash === other.transactionHash &&
  one.operationIndex === other.operationIndex &&
  one.ordinal === other.ordinal
