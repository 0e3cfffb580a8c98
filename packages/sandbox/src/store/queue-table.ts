import type { SqlDatabase } from '@quittance/event-store'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { hexOf } from '../network.ts'
import { bytesIn, integerIn } from './columns.ts'

/** The transactions waiting for a ledger, at most one for each source account. */
export interface QueueTable {
  readonly add: (signed: SignedTransaction) => void
  readonly has: (hash: string) => boolean
  readonly hasFrom: (signed: SignedTransaction) => boolean
  readonly operations: () => number
  /** The envelopes as XDR, in the order of arrival. */
  readonly waiting: () => ReadonlyArray<Uint8Array>
  readonly drop: (hash: string) => void
}

const sourceOf = ({ source }: SignedTransaction): string => hexOf(source.ed25519.value)

export const queueTable = (database: SqlDatabase): QueueTable => {
  const insert = database.prepare('INSERT INTO sandbox_queue (hash, source, operations, envelope) VALUES (?, ?, ?, ?)')
  const byHash = database.prepare('SELECT 1 AS found FROM sandbox_queue WHERE hash = ?')
  const bySource = database.prepare('SELECT 1 AS found FROM sandbox_queue WHERE source = ?')
  const count = database.prepare('SELECT coalesce(sum(operations), 0) AS operations FROM sandbox_queue')
  const all = database.prepare('SELECT envelope FROM sandbox_queue ORDER BY arrival')
  const remove = database.prepare('DELETE FROM sandbox_queue WHERE hash = ?')
  return {
    add: (signed) => {
      const operations = signed.transaction.operations.length
      insert.run(hexOf(signed.hash), sourceOf(signed), operations, signed.envelope.toXdr())
    },
    has: (hash) => byHash.get(hash) !== undefined,
    hasFrom: (signed) => bySource.get(sourceOf(signed)) !== undefined,
    operations: () => integerIn(count.get() ?? {}, 'operations'),
    waiting: () => all.all().map((row) => bytesIn(row, 'envelope')),
    drop: (hash) => void remove.run(hash),
  }
}
