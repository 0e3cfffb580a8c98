import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { StoredTransaction } from '../sandbox-api.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

/** A transaction to store when its ledger closes. The fee is in stroops; `resourceFee` is part of it. */
type NewTransaction = Omit<StoredTransaction, 'closeTime'> & {
  readonly innerHash: string
  readonly operations: number
  readonly feeCharged: number
  readonly resourceFee?: number
}

export interface TransactionTable {
  readonly add: (transaction: NewTransaction) => void
  /** Finds a transaction by its hash, a fee bump also by its inner hash. */
  readonly find: (hash: string) => StoredTransaction | undefined
  /** The ledger that holds exactly this hash. */
  readonly ledgerOf: (hash: string) => number | undefined
  /** Transactions from a position (ledger, order) on, in order. */
  readonly from: (ledger: number, order: number, limit: number) => ReadonlyArray<StoredTransaction>
  /** The inclusion fee per operation of each transaction in these ledgers, in stroops, ascending. */
  readonly feesBetween: (kind: 'classic' | 'contract', first: number, last: number) => ReadonlyArray<number>
}

const transactionIn = (row: SqlRow): StoredTransaction => ({
  hash: textIn(row, 'hash'),
  ledger: integerIn(row, 'ledger'),
  order: integerIn(row, 'application_order'),
  succeeded: integerIn(row, 'succeeded') === 1,
  envelope: bytesIn(row, 'envelope'),
  result: bytesIn(row, 'result'),
  meta: bytesIn(row, 'meta'),
  closeTime: integerIn(row, 'close_time'),
})

const placed = `SELECT t.*, l.close_time FROM sandbox_transaction t JOIN sandbox_ledger l ON l.sequence = t.ledger`

export const transactionTable = (database: SqlDatabase): TransactionTable => {
  const insert = database.prepare('INSERT INTO sandbox_transaction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertBump = database.prepare('INSERT INTO sandbox_fee_bump (inner_hash, hash) VALUES (?, ?)')
  const byHash = database.prepare(
    `${placed} WHERE t.hash = coalesce((SELECT hash FROM sandbox_fee_bump WHERE inner_hash = ?), ?)`,
  )
  const ledgerByHash = database.prepare('SELECT ledger FROM sandbox_transaction WHERE hash = ?')
  const page = database.prepare(
    `${placed} WHERE (t.ledger, t.application_order) >= (?, ?) ORDER BY t.ledger, t.application_order LIMIT ?`,
  )
  const fees = database.prepare(
    `SELECT fee_charged / operations AS fee FROM sandbox_transaction
     WHERE ledger BETWEEN ? AND ? AND hash NOT IN (SELECT hash FROM sandbox_contract_fee) ORDER BY fee`,
  )
  const contractFees = database.prepare(
    'SELECT fee FROM sandbox_contract_fee WHERE ledger BETWEEN ? AND ? ORDER BY fee',
  )
  const insertContractFee = database.prepare('INSERT INTO sandbox_contract_fee VALUES (?, ?, ?)')
  return {
    add: (transaction) => {
      const { hash, innerHash, ledger, order, succeeded, operations, feeCharged, resourceFee } = transaction
      const { envelope, result, meta } = transaction
      if (innerHash !== hash) insertBump.run(innerHash, hash)
      insert.run(hash, ledger, order, succeeded ? 1 : 0, operations, feeCharged, envelope, result, meta)
      if (resourceFee !== undefined)
        insertContractFee.run(hash, ledger, Math.floor((feeCharged - resourceFee) / operations))
    },
    find: (hash) => {
      const row = byHash.get(hash, hash)
      return row === undefined ? undefined : transactionIn(row)
    },
    ledgerOf: (hash) => {
      const row = ledgerByHash.get(hash)
      return row === undefined ? undefined : integerIn(row, 'ledger')
    },
    from: (ledger, order, limit) => page.all(ledger, order, limit).map(transactionIn),
    feesBetween: (kind, first, last) =>
      (kind === 'classic' ? fees : contractFees).all(first, last).map((row) => integerIn(row, 'fee')),
  }
}
