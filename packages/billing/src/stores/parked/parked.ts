import type { Environment } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type Share, ShareCodec } from './share.ts'

/** Shares of closed ledgers that could not be placed, or that wait behind such a one. Nothing of them may be in the log yet. */
export interface Parked {
  /** Puts a share at the end of its queue; one that is there already stays where it is. */
  readonly add: (share: Share) => void
  readonly remove: (share: Share) => void
  /** The one of a queue that is placed next. */
  readonly first: (environment: Environment, queue: string) => Share | null
  /** The queues in which something waits, each once. */
  readonly queues: (environment: Environment) => ReadonlyArray<Scope & { readonly id: string }>
  readonly isWaiting: (environment: Environment, queue: string) => boolean
}

/** In the file of the cursors: a share is on the disk before the cursor moves past its ledger. */
export const sqliteParked = (database: SqlDatabase): Parked => {
  database.execute(`CREATE TABLE IF NOT EXISTS parked_shares (
    place INTEGER PRIMARY KEY, environment TEXT NOT NULL, queue TEXT NOT NULL, id TEXT NOT NULL, merchant_id TEXT NOT NULL,
    share TEXT NOT NULL, UNIQUE (environment, queue, id)
  ) STRICT`)
  const add = database.prepare(
    'INSERT OR IGNORE INTO parked_shares (environment, queue, id, merchant_id, share) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM parked_shares WHERE environment = ? AND queue = ? AND id = ?')
  const first = database.prepare(
    'SELECT share FROM parked_shares WHERE environment = ? AND queue = ? ORDER BY place LIMIT 1',
  )
  const queues = database.prepare('SELECT DISTINCT queue, merchant_id FROM parked_shares WHERE environment = ?')
  const one = database.prepare('SELECT 1 FROM parked_shares WHERE environment = ? AND queue = ? LIMIT 1')
  return {
    add: (share) => {
      const body = JSON.stringify(ShareCodec.encode(share))
      add.run(share.environment, share.queue, share.id, share.merchantId, body)
    },
    remove: ({ environment, queue, id }) => void remove.run(environment, queue, id),
    first: (environment, queue) => {
      const row = first.get(environment, queue)
      return row === undefined ? null : decodeOrThrow(ShareCodec, JSON.parse(String(row.share)))
    },
    queues: (environment) =>
      queues
        .all(environment)
        .map((row) => ({ merchantId: String(row.merchant_id), environment, id: String(row.queue) })),
    isWaiting: (environment, queue) => one.get(environment, queue) !== undefined,
  }
}
