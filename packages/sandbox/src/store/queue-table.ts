import type { SqlDatabase } from '@quittance/event-store'
import type { xdr } from '@stellar/stellar-sdk'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { feeSourceOf, offeredFee, operationCount } from '../ledger/fees.ts'
import { hexOf } from '../network.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

/** The transactions waiting for a ledger, at most one for each source account. */
export interface QueueTable {
  readonly add: (signed: SignedTransaction) => void
  readonly has: (hash: string) => boolean
  /** The envelope, as XDR, that the transaction's account has in the queue. */
  readonly waitingFor: (signed: SignedTransaction) => Uint8Array | undefined
  /** What the account that pays for the transaction has offered to pay for those in the queue, in stroops. */
  readonly fees: (signed: SignedTransaction) => ReadonlyArray<{ readonly hash: string; readonly fee: bigint }>
  readonly operations: () => number
  /** Keeps a transaction out of all ledgers before this one. */
  readonly hold: (hash: string, firstLedger: number) => void
  /** The envelopes as XDR, in the order of arrival, of those that may come into a ledger. */
  readonly waiting: (ledger: number) => ReadonlyArray<Uint8Array>
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
  return {
    add: (signed) => {
      const hash = hexOf(signed.hash)
      insert.run(hash, nameOf(signed.source), operationCount(signed), signed.envelope.toXdr())
      insertFee.run(hash, nameOf(feeSourceOf(signed)), offeredFee(signed).toString())
    },
    has: (hash) => byHash.get(hash) !== undefined,
    waitingFor: ({ source }) => {
      const row = bySource.get(nameOf(source))
      return row === undefined ? undefined : bytesIn(row, 'envelope')
    },
    fees: (signed) =>
      feesOf
        .all(nameOf(feeSourceOf(signed)))
        .map((row) => ({ hash: textIn(row, 'hash'), fee: BigInt(textIn(row, 'fee')) })),
    hold: (hash, firstLedger) => void insertHeld.run(hash, firstLedger),
    operations: () => integerIn(count.get() ?? {}, 'operations'),
    waiting: (ledger) => free.all(ledger).map((row) => bytesIn(row, 'envelope')),
    drop: (hash) => {
      remove.run(hash)
      removeFee.run(hash)
      removeHeld.run(hash)
    },
  }
}
