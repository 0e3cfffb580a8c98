import { AccountId, UnixMs } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { SigningPurpose } from '@quittance/ledger'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'

/** What a key was used for; `provision`: the sandbox was given it, to set its account up. */
type KeyPurpose = SigningPurpose['_tag'] | 'provision'
const KeyPurpose: t.Type<KeyPurpose> = t.keyof({ transaction: null, uri: null, message: null, provision: null })

/**
 * A use of a signing key that was about to be made. `digest` is the transaction's hash, of anything else the SHA-256 of
 * the bytes that were signed, 64 lower-case hex digits; null where nothing was.
 */
const SigningRecord = t.strict({
  at: UnixMs,
  key: t.string,
  account: AccountId,
  purpose: KeyPurpose,
  digest: t.union([t.string, t.null]),
  actor: t.string,
})
export type SigningRecord = t.TypeOf<typeof SigningRecord>

export interface SigningRecords {
  /** Returns once the record is as durable as the file is: only then the key may be used. */
  readonly add: (record: SigningRecord) => void
  /** Of one account, the oldest first. A record without a signature is a use that a crash has cut short. */
  readonly of: (account: AccountId) => ReadonlyArray<SigningRecord>
}

/** In the vault's own file: whoever can use a key can write down that it was used. Rows are never changed. */
export const sqliteSigningRecords = (sql: SqlDatabase): SigningRecords => {
  sql.execute(`CREATE TABLE IF NOT EXISTS signing_records (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL,
    purpose TEXT NOT NULL, digest TEXT, actor TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS signing_records_account ON signing_records (account)`)
  const insert = sql.prepare(
    'INSERT INTO signing_records (at, key, account, purpose, digest, actor) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const find = sql.prepare('SELECT * FROM signing_records WHERE account = ? ORDER BY number')
  return {
    add: ({ at, key, account, purpose, digest, actor }) => void insert.run(at, key, account, purpose, digest, actor),
    of: (account) => find.all(account).map((row: SqlRow) => decodeOrThrow(SigningRecord, row)),
  }
}
