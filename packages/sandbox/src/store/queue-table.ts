import type { SqlDatabase } from '@quittance/event-store'
import type { xdr } from '@stellar/stellar-sdk'
import type { SignedTransaction } from '../ledger/envelope.ts'
import type { FeeBid, Kind } from '../ledger/fee-bid.ts'
import { feeSourceOf, kindOf, offeredFee, offeredInclusion, operationCount } from '../ledger/fees.ts'
import { hexOf } from '../network.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

/** A queued transaction's bid. */
export type QueuedBid = FeeBid & { readonly hash: string; readonly source: string }

/** Queued transactions, at most one for each source account. */
export interface QueueTable {
  /** `since` is the last ledger closed before this account's transaction began to wait. */
  readonly add: (signed: SignedTransaction, since: number) => void
  readonly has: (hash: string) => boolean
  /** The queued envelope of the transaction's account, as XDR. */
  readonly waitingFor: (signed: SignedTransaction) => Uint8Array | undefined
  readonly waitingSince: (hash: string) => number | undefined
  /** The fees that the transaction's payer has offered for queued transactions, in stroops. */
  readonly fees: (signed: SignedTransaction) => ReadonlyArray<{ readonly hash: string; readonly fee: bigint }>
  /** The number of queued operations. */
  readonly operations: () => number
  /** The used part of the queue: classic transactions count by operations, contract transactions by number. */
  readonly taken: (kind: Kind) => number
  readonly bids: (kind: Kind) => ReadonlyArray<QueuedBid>
  /** Keeps a transaction out of all ledgers before this one. */
  readonly hold: (hash: string, firstLedger: number) => void
  /** The envelopes as XDR that may enter the ledger, in order of arrival. */
  readonly waiting: (ledger: number) => ReadonlyArray<Uint8Array>
  /** The hashes of transactions that have waited since this ledger, or longer. */
  readonly waitingSinceLedger: (ledger: number) => ReadonlyArray<string>
  readonly drop: (hash: string) => void
}

const nameOf = (account: xdr.PublicKey): string => hexOf(account.ed25519.value)

export const queueTable = (database: SqlDatabase): QueueTable => {
  const insert = database.prepare('INSERT INTO sandbox_queue (hash, source, operations, envelope) VALUES (?, ?, ?, ?)')
  const byHash = database.prepare('SELECT 1 AS found FROM sandbox_queue WHERE hash = ?')
  const bySource = database.prepare('SELECT envelope FROM sandbox_queue WHERE source = ?')
  const count = database.prepare('SELECT coalesce(sum(operations), 0) AS operations FROM sandbox_queue')
  const free = database.prepare(
    `SELECT envelope FROM sandbox_queue
     WHERE hash NOT IN (SELECT hash FROM sandbox_held WHERE first_ledger > ?) ORDER BY arrival`,
  )
  const insertHeld = database.prepare('INSERT OR REPLACE INTO sandbox_held (hash, first_ledger) VALUES (?, ?)')
  const removeHeld = database.prepare('DELETE FROM sandbox_held WHERE hash = ?')
  const remove = database.prepare('DELETE FROM sandbox_queue WHERE hash = ?')
  const insertFee = database.prepare('INSERT INTO sandbox_queue_fee (hash, fee_source, fee) VALUES (?, ?, ?)')
  const feesOf = database.prepare('SELECT hash, fee FROM sandbox_queue_fee WHERE fee_source = ?')
  const removeFee = database.prepare('DELETE FROM sandbox_queue_fee WHERE hash = ?')
  const insertBid = database.prepare('INSERT INTO sandbox_queue_bid VALUES (?, ?, ?, ?, ?, ?)')
  const bidsOf = database.prepare('SELECT * FROM sandbox_queue_bid WHERE kind = ?')
  const takenBy = database.prepare(
    'SELECT coalesce(sum(operations), 0) AS operations, count(*) AS number FROM sandbox_queue_bid WHERE kind = ?',
  )
  const since = database.prepare('SELECT since FROM sandbox_queue_bid WHERE hash = ?')
  const setSince = database.prepare('UPDATE sandbox_queue_bid SET since = ? WHERE hash = ?')
  const sinceOrLonger = database.prepare('SELECT hash FROM sandbox_queue_bid WHERE since <= ?')
  const removeBid = database.prepare('DELETE FROM sandbox_queue_bid WHERE hash = ?')
  return {
    add: (signed, ledger) => {
      const hash = hexOf(signed.hash)
      const operations = operationCount(signed)
      const source = nameOf(signed.source)
      insert.run(hash, source, operations, signed.envelope.toXdr())
      insertFee.run(hash, nameOf(feeSourceOf(signed)), offeredFee(signed).toString())
      insertBid.run(hash, source, kindOf(signed), offeredInclusion(signed).toString(), operations, ledger)
    },
    has: (hash) => byHash.get(hash) !== undefined,
    waitingFor: ({ source }) => {
      const row = bySource.get(nameOf(source))
      return row === undefined ? undefined : bytesIn(row, 'envelope')
    },
    waitingSince: (hash) => {
      const row = since.get(hash)
      return row === undefined ? undefined : integerIn(row, 'since')
    },
    fees: (signed) =>
      feesOf
        .all(nameOf(feeSourceOf(signed)))
        .map((row) => ({ hash: textIn(row, 'hash'), fee: BigInt(textIn(row, 'fee')) })),
    hold: (hash, firstLedger) => {
      insertHeld.run(hash, firstLedger)
      setSince.run(firstLedger - 1, hash)
    },
    operations: () => integerIn(count.get() ?? {}, 'operations'),
    taken: (kind) => integerIn(takenBy.get(kind) ?? {}, kind === 'classic' ? 'operations' : 'number'),
    bids: (kind) =>
      bidsOf.all(kind).map((row) => ({
        hash: textIn(row, 'hash'),
        source: textIn(row, 'source'),
        fee: BigInt(textIn(row, 'fee')),
        operations: integerIn(row, 'operations'),
      })),
    waiting: (ledger) => free.all(ledger).map((row) => bytesIn(row, 'envelope')),
    waitingSinceLedger: (ledger) => sinceOrLonger.all(ledger).map((row) => textIn(row, 'hash')),
    drop: (hash) => {
      remove.run(hash)
      removeFee.run(hash)
      removeBid.run(hash)
      removeHeld.run(hash)
    },
  }
}
