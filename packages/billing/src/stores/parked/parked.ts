import { Environment } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { json, query } from '../sql/query.ts'
import { type Share, ShareCodec } from './share.ts'

/** Shares of closed ledgers that could not be placed, or that wait behind such a share. They may not be in the log yet. */
export interface Parked {
  /** Puts a share at the end of its queue; one that is already there stays where it is. */
  readonly add: (share: Share) => void
  readonly remove: (share: Share) => void
  /** The next share of a queue. */
  readonly first: (environment: Environment, queue: string) => Share | null
  /** The queues that are not empty. */
  readonly queues: (environment: Environment) => ReadonlyArray<Scope & { readonly id: string }>
  readonly isWaiting: (environment: Environment, queue: string) => boolean
}

const Kept = json(ShareCodec)

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
  const first = query(
    database,
    t.strict({ share: Kept }),
    'SELECT share FROM parked_shares WHERE environment = ? AND queue = ? ORDER BY place LIMIT 1',
  )
  const queues = query(
    database,
    t.strict({ merchantId: t.string, environment: Environment, id: t.string }),
    'SELECT DISTINCT queue AS id, merchant_id AS merchantId, environment FROM parked_shares WHERE environment = ?',
  )
  const one = database.prepare('SELECT 1 FROM parked_shares WHERE environment = ? AND queue = ? LIMIT 1')
  return {
    add: (share) => void add.run(share.environment, share.queue, share.id, share.merchantId, Kept.encode(share)),
    remove: ({ environment, queue, id }) => void remove.run(environment, queue, id),
    first: (environment, queue) => first.one(environment, queue)?.share ?? null,
    queues: (environment) => queues.all(environment),
    isWaiting: (environment, queue) => one.get(environment, queue) !== undefined,
  }
}
