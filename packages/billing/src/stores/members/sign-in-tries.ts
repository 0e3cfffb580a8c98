import { dayMs, hourMs, type KeyedHash, minuteMs, type UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { query, write } from '../sql/query.ts'

/** The tries to sign in of the last day, whether anybody has the email or not. */
export interface SignInTries {
  /** Counts a try; false where a limit is reached. `client` is a hash of whoever tries. */
  readonly count: (email: KeyedHash, client: KeyedHash, now: UnixMs) => Promise<boolean>
  readonly purge: (now: UnixMs) => Promise<void>
}

/**
 * A stranger cannot guess for long, and needs several addresses of their own to keep a member out for a day; passkeys are
 * not counted here, so that their owners always get in.
 */
const limits = [
  { where: 'email_hash = ? AND client_hash = ?', most: 10, withinMs: 15 * minuteMs },
  { where: 'email_hash = ?', most: 100, withinMs: dayMs },
  { where: 'client_hash = ?', most: 100, withinMs: hourMs },
] as const

export const signInTryTable = `
  CREATE TABLE IF NOT EXISTS sign_in_tries (
    email_hash TEXT NOT NULL, client_hash TEXT NOT NULL, made_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sign_in_tries_email ON sign_in_tries (email_hash, made_at);
  CREATE INDEX IF NOT EXISTS sign_in_tries_client ON sign_in_tries (client_hash, made_at)`

const made = limits.map(({ where, ...limit }) => ({
  ...limit,
  count: query(
    t.strict({ count: t.number }),
    `SELECT count(*) AS count FROM sign_in_tries WHERE ${where} AND made_at > ?`,
  ),
}))
const insert = write('INSERT INTO sign_in_tries VALUES (?, ?, ?)')
const purge = write('DELETE FROM sign_in_tries WHERE made_at <= ?')

/** Beside claims and cursors, where every process finds them. */
export const signInTries = ({ run }: Sql): SignInTries => ({
  count: (email, client, now) =>
    run(function* () {
      const subjects = [[email, client], [email], [client]]
      for (const [each, { count, most, withinMs }] of made.entries()) {
        const found = yield* count.one(...(subjects[each] ?? []), now - withinMs)()
        if ((found?.count ?? 0) >= most) return false
      }
      yield* insert(email, client, now)()
      return true
    }),
  purge: (now) => run(purge(now - dayMs)),
})
