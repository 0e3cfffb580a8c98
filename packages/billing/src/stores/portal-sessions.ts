import { Environment, type KeyedHash, type UnixMs } from '@quittance/domain'
import type { Alongside, Sql } from '@quittance/event-store'
import type * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ClaimLost } from '../kernel/claims.ts'
import { type Times, timeArguments, timeOfRow } from '../kernel/clock.ts'
import { withClaim } from './claims/with-claim.ts'
import { isChanged, orNull, query, write } from './sql/query.ts'

const Visitor = t.strict({ merchantId: t.string, environment: Environment, customerId: t.string })
/** The customer in whose portal a browser is. */
export type Visitor = t.TypeOf<typeof Visitor>

/** A session's visitor, and where the link back leads; null for no link. */
const Visit = t.intersection([Visitor, t.strict({ returnUrl: orNull(t.string) })])
export type Visit = t.TypeOf<typeof Visit>

/** Invitations to the portal, and the sessions that they became. Tokens are kept as keyed hashes only. */
export interface PortalSessions {
  /** Good until `validUntil`. Repeating it changes nothing. */
  readonly invite: (
    token: KeyedHash,
    visit: Visit,
    validUntil: UnixMs,
    alongside: Alongside | undefined,
  ) => Promise<E.Either<ClaimLost, void>>
  /** Turns an invitation into a session, once. False if it is unknown, used or expired. */
  readonly enter: (token: KeyedHash, session: KeyedHash, lastsMs: number, now: Times) => Promise<boolean>
  readonly find: (session: KeyedHash, now: Times) => Promise<Visit | null>
  readonly purge: (now: Times) => Promise<void>
}

export const portalSessionTable = `CREATE TABLE IF NOT EXISTS portal_sessions (
  token_hash TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL, customer_id TEXT NOT NULL,
  ends_at INTEGER NOT NULL, session_hash TEXT UNIQUE, return_url TEXT
) STRICT`
/** Columns that were added after the first release. */
export const portalSessionColumns: ReadonlyArray<string> = ['return_url TEXT']

const invite = write(
  `INSERT INTO portal_sessions (token_hash, merchant_id, environment, customer_id, ends_at, return_url)
   VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
)
const enter = isChanged(
  `UPDATE portal_sessions SET session_hash = ?, ends_at = ? + ${timeOfRow}
   WHERE token_hash = ? AND session_hash IS NULL AND ends_at > ${timeOfRow}`,
)
const find = query(
  Visit,
  `SELECT merchant_id AS "merchantId", environment, customer_id AS "customerId", return_url AS "returnUrl"
   FROM portal_sessions WHERE session_hash = ? AND ends_at > ${timeOfRow}`,
)
const purge = write(`DELETE FROM portal_sessions WHERE ends_at <= ${timeOfRow}`)

/** Beside claims and cursors, where every process finds them. */
export const portalSessions = (sql: Sql): PortalSessions => ({
  invite: (token, { merchantId, environment, customerId, returnUrl }, validUntil, alongside) =>
    withClaim(sql)(alongside, invite(token, merchantId, environment, customerId, validUntil, returnUrl)),
  enter: (token, session, lastsMs, now) => {
    const times = timeArguments(now)
    return sql.run(enter(session, lastsMs, ...times, token, ...times))
  },
  find: (session, now) => sql.run(find.one(session, ...timeArguments(now))),
  purge: (now) => sql.run(purge(...timeArguments(now))),
})
