import { AccountId, LogMark, UnixMs } from '@quittance/domain'
import type { Sql, SqlRun } from '@quittance/event-store'
import type { SigningPurpose } from '@quittance/ledger'
import * as t from 'io-ts'
import type { NewestEvent } from '../log-marks.ts'
import { orNull, query, write } from '../sql/query.ts'
import { type ChainHash, linking } from './signing-chain.ts'

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
  /** Resolves once the record is as durable as the keys: only then may the key be used. */
  readonly add: (record: SigningRecord) => Promise<void>
  /** The records of one account, the oldest first. A crash may have prevented a recorded use. */
  readonly of: (account: AccountId) => Promise<ReadonlyArray<SigningRecord>>
}

export const signingRecordTable = `
  CREATE TABLE IF NOT EXISTS signing_records (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL,
    purpose TEXT NOT NULL, digest TEXT, actor TEXT NOT NULL, log_mark TEXT, link INTEGER, hash TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS signing_records_account ON signing_records (account)`
/** The newest event of the log when a key was used, and the place in the chain. A file of an earlier release lacks the columns. */
export const signingRecordColumns: ReadonlyArray<string> = ['log_mark TEXT', 'link INTEGER', 'hash TEXT']

const insert = write(
  `INSERT INTO signing_records (at, key, account, purpose, digest, actor, log_mark, link, hash)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
)
const ofAccount = query(SigningRecord, 'SELECT * FROM signing_records WHERE account = ? ORDER BY number')

const oneAfterTheOther: SqlRun = {
  isolation: {
    level: 'read committed',
    because: 'the head of the chain is locked before anything is read, and every record locks it',
  },
}

/**
 * Beside the vault's keys, so that every process that can use a key can record the use. Rows never change, and each holds a hash
 * over itself and the one before it.
 */
export const signingRecords = (
  { dialect, run }: Sql,
  newest: Pick<NewestEvent, 'mark'>,
  hashOf: ChainHash,
): SigningRecords => ({
  add: ({ at, key, account, purpose, digest, actor }) => {
    const mark = newest.mark()
    const log_mark = mark === null ? null : JSON.stringify(LogMark.encode(mark))
    const record = { at, key, account, purpose, digest, actor, log_mark }
    return run(
      linking(dialect, hashOf, record, ({ link, hash }) =>
        insert(at, key, account, purpose, digest, actor, log_mark, link, hash),
      ),
      oneAfterTheOther,
    )
  },
  of: (account) => run(ofAccount.all(account)),
})
