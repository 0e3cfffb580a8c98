import { UnixMs } from '@quittance/domain'
import * as t from 'io-ts'
import { orNull } from '../sql/query.ts'

export const claimTable = `CREATE TABLE IF NOT EXISTS idempotency_claims (
  merchant_id TEXT NOT NULL, environment TEXT NOT NULL, key TEXT NOT NULL,
  command_id TEXT NOT NULL, request_hash TEXT NOT NULL, at INTEGER NOT NULL, leased_until INTEGER NOT NULL,
  is_bound INTEGER NOT NULL DEFAULT 0, answered_stream TEXT, answered_revision INTEGER,
  has_written INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (merchant_id, environment, key)
) STRICT, WITHOUT ROWID`

/**
 * Columns that were added after the first release. The keys of an older table count as not bound, and as those of commands
 * that wrote something.
 */
export const claimColumns: ReadonlyArray<string> = [
  'is_bound INTEGER NOT NULL DEFAULT 0',
  'answered_stream TEXT',
  'answered_revision INTEGER',
  'has_written INTEGER NOT NULL DEFAULT 1',
]

/** Once the columns are there. */
export const claimIndexes = `
  DROP INDEX IF EXISTS idempotency_claims_at;
  CREATE INDEX IF NOT EXISTS idempotency_claims_forgettable ON idempotency_claims (at) WHERE has_written = 0`

export const ClaimRow = t.strict({
  commandId: t.string,
  requestHash: t.string,
  at: UnixMs,
  leasedUntil: t.number,
  isBound: t.number,
  stream: orNull(t.string),
  revision: orNull(t.number),
})

export const selectClaim = `SELECT command_id AS "commandId", request_hash AS "requestHash", at,
  leased_until AS "leasedUntil", is_bound AS "isBound", answered_stream AS stream, answered_revision AS revision
  FROM idempotency_claims`
