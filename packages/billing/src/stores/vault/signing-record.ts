import { AccountId, LogMark, UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { SigningPurpose } from '@quittance/ledger'
import * as t from 'io-ts'
import type { NewestEvent } from '../log-marks.ts'
import { orNull, query } from '../sql/query.ts'

/** The purpose of a use; `provision`: the sandbox received the key, to set its account up. */
type KeyPurpose = SigningPurpose['_tag'] | 'provision'
const KeyPurpose: t.Type<KeyPurpose> = t.keyof({ transaction: null, uri: null, message: null, provision: null })

/**
 * A use of a signing key, recorded before it is made. `digest` is the hash of a signed transaction or the SHA-256 of other
 * signed bytes, as 64 lower-case hex digits; null if nothing is signed.
 */
const SigningRecord = t.strict({
  at: UnixMs,
  key: t.string,
  account: AccountId,
  purpose: KeyPurpose,
  digest: orNull(t.string),
  actor: t.string,
})
export type SigningRecord = t.TypeOf<typeof SigningRecord>

export interface SigningRecords {
  /** Returns once the record is as durable as the file: only then may the key be used. */
  readonly add: (record: SigningRecord) => void
  /** The records of one account, the oldest first. A crash may have prevented a recorded use. */
  readonly of: (account: AccountId) => ReadonlyArray<SigningRecord>
}

/** The newest event of the log when a key was used. A file of an earlier release lacks the column. */
const addMarks = (sql: SqlDatabase): void => {
  const isThere = () =>
    sql
      .prepare('PRAGMA table_info(signing_records)')
      .all()
      .some(({ name }) => name === 'log_mark')
  if (isThere()) return
  sql.transaction(() => {
    if (!isThere()) sql.execute('ALTER TABLE signing_records ADD COLUMN log_mark TEXT')
  })
}

/** In the vault's own file, so that every process that can use a key can record the use. Rows never change. */
export const sqliteSigningRecords = (sql: SqlDatabase, newest: Pick<NewestEvent, 'mark'>): SigningRecords => {
  sql.execute(`CREATE TABLE IF NOT EXISTS signing_records (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL,
    purpose TEXT NOT NULL, digest TEXT, actor TEXT NOT NULL, log_mark TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS signing_records_account ON signing_records (account)`)
  addMarks(sql)
  const insert = sql.prepare(
    'INSERT INTO signing_records (at, key, account, purpose, digest, actor, log_mark) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const ofAccount = query(sql, SigningRecord, 'SELECT * FROM signing_records WHERE account = ? ORDER BY number')
  return {
    add: ({ at, key, account, purpose, digest, actor }) => {
      const mark = newest.mark()
      const text = mark === null ? null : JSON.stringify(LogMark.encode(mark))
      insert.run(at, key, account, purpose, digest, actor, text)
    },
    of: (account) => ofAccount.all(account),
  }
}
