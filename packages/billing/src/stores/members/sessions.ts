import { dayMs, hourMs, type KeyedHash, MemberId, minuteMs, UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { query, write } from '../sql/query.ts'

const MemberSession = t.strict({ memberId: MemberId, merchantId: t.string, madeAt: UnixMs, seenAt: UnixMs })
export type MemberSession = t.TypeOf<typeof MemberSession>

/** The sessions of members. Their secrets are kept as keyed hashes only. */
export interface MemberSessions {
  readonly open: (
    secret: KeyedHash,
    member: Pick<MemberSession, 'memberId' | 'merchantId'>,
    now: UnixMs,
  ) => Promise<void>
  /** A session that lasts, which this is a use of. */
  readonly use: (secret: KeyedHash, now: UnixMs) => Promise<MemberSession | null>
  readonly end: (secret: KeyedHash) => Promise<void>
  readonly endAllOf: (memberId: string) => Promise<void>
  readonly purge: (now: UnixMs) => Promise<void>
}

/** A session ends after so long without a use, and after so long in any case. */
export const idleMs = 12 * hourMs
export const longestSessionMs = 7 * dayMs

/** When a session ends that is not used again. */
export const sessionEnd = ({ madeAt, seenAt }: MemberSession): number =>
  Math.min(madeAt + longestSessionMs, seenAt + idleMs)

export const memberSessionTable = `
  CREATE TABLE IF NOT EXISTS member_sessions (
    secret_hash TEXT PRIMARY KEY, member_id TEXT NOT NULL, merchant_id TEXT NOT NULL, made_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS member_sessions_member ON member_sessions (member_id)`

const insert = write('INSERT INTO member_sessions VALUES (?, ?, ?, ?, ?)')
const find = query(
  MemberSession,
  `SELECT member_id AS "memberId", merchant_id AS "merchantId", made_at AS "madeAt", seen_at AS "seenAt"
   FROM member_sessions WHERE secret_hash = ? AND made_at > ? AND seen_at > ?`,
)
const see = write('UPDATE member_sessions SET seen_at = ? WHERE secret_hash = ? AND seen_at < ?')
const end = write('DELETE FROM member_sessions WHERE secret_hash = ?')
const endAllOf = write('DELETE FROM member_sessions WHERE member_id = ?')
const purge = write('DELETE FROM member_sessions WHERE made_at <= ? OR seen_at <= ?')

/** Beside claims and cursors, where every process finds them. */
export const memberSessions = ({ run }: Sql): MemberSessions => ({
  open: (secret, { memberId, merchantId }, now) => run(insert(secret, memberId, merchantId, now, now)),
  use: async (secret, now) => {
    const found = await run(find.one(secret, now - longestSessionMs, now - idleMs))
    if (found === null || now - found.seenAt < minuteMs) return found
    await run(see(now, secret, now))
    return { ...found, seenAt: now }
  },
  end: (secret) => run(end(secret)),
  endAllOf: (memberId) => run(endAllOf(memberId)),
  purge: (now) => run(purge(now - longestSessionMs, now - idleMs)),
})
