import { Environment } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { exists, json, query, write } from '../sql/query.ts'
import { type Share, ShareCodec } from './share.ts'

/** Shares of closed ledgers that could not be placed, or that wait behind such a share. They may not be in the log yet. */
export interface Parked {
  /** Puts a share at the end of its queue; one that is already there stays where it is. */
  readonly add: (share: Share) => Promise<void>
  readonly remove: (share: Share) => Promise<void>
  /** The next share of a queue. */
  readonly first: (environment: Environment, queue: string) => Promise<Share | null>
  /** The queues that are not empty. */
  readonly queues: (environment: Environment) => Promise<ReadonlyArray<Scope & { readonly id: string }>>
  readonly isWaiting: (environment: Environment, queue: string) => Promise<boolean>
}

const Kept = json(ShareCodec)

export const parkedTable = `CREATE TABLE IF NOT EXISTS parked_shares (
  place INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, queue TEXT NOT NULL, id TEXT NOT NULL,
  merchant_id TEXT NOT NULL, share TEXT NOT NULL, UNIQUE (environment, queue, id)
) STRICT`

const add = write(
  `INSERT INTO parked_shares (environment, queue, id, merchant_id, share) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT DO NOTHING`,
)
const remove = write('DELETE FROM parked_shares WHERE environment = ? AND queue = ? AND id = ?')
const first = query(
  t.strict({ share: Kept }),
  'SELECT share FROM parked_shares WHERE environment = ? AND queue = ? ORDER BY place LIMIT 1',
)
const queues = query(
  t.strict({ merchantId: t.string, environment: Environment, id: t.string }),
  'SELECT DISTINCT queue AS id, merchant_id AS "merchantId", environment FROM parked_shares WHERE environment = ?',
)
const one = exists('SELECT 1 FROM parked_shares WHERE environment = ? AND queue = ? LIMIT 1')

/** Beside the cursors: a share is durable before the cursor moves past its ledger. */
export const parked = ({ run }: Sql): Parked => ({
  add: (share) => run(add(share.environment, share.queue, share.id, share.merchantId, Kept.encode(share))),
  remove: ({ environment, queue, id }) => run(remove(environment, queue, id)),
  first: async (environment, queue) => (await run(first.one(environment, queue)))?.share ?? null,
  queues: (environment) => run(queues.all(environment)),
  isWaiting: (environment, queue) => run(one(environment, queue)),
})
