import type { SqlDatabase } from '@quittance/event-store'
import type { FeeBid, Kind } from '../ledger/fee-bid.ts'
import { integerIn, textIn } from './columns.ts'

/** Hashes that the queue rejects for some ledgers, and the last bid it evicted. */
export interface BanTable {
  /** Bans a hash until this ledger has closed. */
  readonly ban: (hash: string, untilLedger: number) => void
  readonly isBanned: (hash: string, latestLedger: number) => boolean
  /** Stores an evicted bid: until the next ledger, others of its kind must bid more. */
  readonly evict: (kind: Kind, bid: FeeBid) => void
  readonly evicted: (kind: Kind) => FeeBid | undefined
  /** Removes the bans and evicted bids that end with a closed ledger. */
  readonly forget: (latestLedger: number) => void
}

export const banTable = (database: SqlDatabase): BanTable => {
  const insert = database.prepare('INSERT OR REPLACE INTO sandbox_banned (hash, until_ledger) VALUES (?, ?)')
  const find = database.prepare('SELECT 1 AS found FROM sandbox_banned WHERE hash = ? AND until_ledger > ?')
  const remove = database.prepare('DELETE FROM sandbox_banned WHERE until_ledger <= ?')
  const insertEvicted = database.prepare(
    'INSERT OR REPLACE INTO sandbox_evicted (kind, fee, operations) VALUES (?, ?, ?)',
  )
  const evictedOf = database.prepare('SELECT fee, operations FROM sandbox_evicted WHERE kind = ?')
  const clearEvicted = database.prepare('DELETE FROM sandbox_evicted')
  return {
    ban: (hash, untilLedger) => void insert.run(hash, untilLedger),
    isBanned: (hash, latestLedger) => find.get(hash, latestLedger) !== undefined,
    evict: (kind, { fee, operations }) => void insertEvicted.run(kind, fee.toString(), operations),
    evicted: (kind) => {
      const row = evictedOf.get(kind)
      return row && { fee: BigInt(textIn(row, 'fee')), operations: integerIn(row, 'operations') }
    },
    forget: (latestLedger) => {
      remove.run(latestLedger)
      clearEvicted.run()
    },
  }
}
