import { createSecretKey, type KeyObject } from 'node:crypto'
import { rowsOf, type Sql, type SqlDatabase, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import { isLocked, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { exists, write } from '../sql/query.ts'
import { decrypt, encrypt } from './cipher.ts'
import { lookupKeyName } from './vault.ts'

/** Why the vault cannot be moved to another master key. */
export type RewrapFailure =
  /** Another process has the vault open: it would go on to wrap keys with the old master key. */
  | { readonly _tag: 'VaultInUse' }
  /** Neither the old nor the new master key opens the vault. */
  | { readonly _tag: 'WrongMasterKey' }
  /** Nothing was ever kept in the vault. */
  | { readonly _tag: 'VaultEmpty' }

const update = write('UPDATE vault SET wrapped = ? WHERE name = ?')

const opens = (key: KeyObject, wrapped: Uint8Array): boolean =>
  E.isRight(
    E.tryCatch(
      () => decrypt(key, lookupKeyName, wrapped),
      () => null,
    ),
  )

/** Wraps every key anew. Answers how many: none if an earlier call has done so. */
const rewrap = (
  dialect: SqlDialect,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): SqlProgram<E.Either<RewrapFailure, number>> => {
  const [from, to] = [createSecretKey(oldMasterKey), createSecretKey(newMasterKey)]
  return function* () {
    if (!(yield* exists(dialect.hasTable)('vault')())) return E.left({ _tag: 'VaultEmpty' })
    const [row] = yield* rowsOf('SELECT wrapped FROM vault WHERE name = ?', lookupKeyName)()
    if (!(row?.wrapped instanceof Uint8Array)) return E.left({ _tag: 'VaultEmpty' })
    if (opens(to, row.wrapped)) return E.right(0)
    if (!opens(from, row.wrapped)) return E.left({ _tag: 'WrongMasterKey' })
    // The row of an erased key stays empty.
    const living = yield* rowsOf('SELECT name, wrapped FROM vault WHERE length(wrapped) > 0')()
    for (const { name, wrapped } of living) {
      if (typeof name !== 'string' || !(wrapped instanceof Uint8Array)) throw new Error('the vault holds another type')
      const key = decrypt(from, name, wrapped)
      yield* update(encrypt(to, name, key), name)()
      key.fill(0)
    }
    return E.right(living.length)
  }
}

/**
 * Wraps every key of a vault's file with another master key, in one transaction, and leaves nothing in the file that the old
 * one opens. The keys themselves stay. Answers how many were wrapped anew: none if an earlier call has done so. Needs a
 * connection of its own, which keeps everybody else out until it is closed.
 */
export const rewrapVault = (
  database: SqlDatabase,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): E.Either<RewrapFailure, number> => {
  if (!isOwnAlone(database)) return E.left({ _tag: 'VaultInUse' })
  const rewrapped = runNow(database, rewrap(sqlitePrograms(database).dialect, oldMasterKey, newMasterKey))
  // What the old key opens might remain in pages that are only half filled.
  if (E.isRight(rewrapped)) database.execute('VACUUM')
  return rewrapped
}

/** Processes of ours name their connections so; each that has the vault open keeps some. */
const others = exists(
  `SELECT 1 FROM pg_stat_activity
   WHERE application_name = 'quittance' AND datname = current_database() AND pid <> pg_backend_pid() LIMIT 1`,
)()

/**
 * As `rewrapVault`, for a vault in PostgreSQL. `sql` has one connection, and no process of ours may have another one to this
 * database. What the old key opens stays in dumps and archives of the write-ahead log that were made before.
 */
export const rewrapPostgresVault = async (
  sql: Sql,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): Promise<E.Either<RewrapFailure, number>> => {
  if (await sql.run(others)) return E.left({ _tag: 'VaultInUse' })
  const rewrapped = await sql.run(rewrap(sql.dialect, oldMasterKey, newMasterKey))
  if (E.isRight(rewrapped) && rewrapped.right > 0) await sql.run(rowsOf('VACUUM FULL vault'))
  return rewrapped
}

/**
 * Leaves the write-ahead log, which SQLite does only for its single user, and keeps the lock. The journal of the other mode,
 * which holds the old pages, is emptied by each commit.
 */
export const isOwnAlone = (sql: SqlDatabase): boolean => {
  try {
    sql.execute('PRAGMA secure_delete = ON; PRAGMA locking_mode = EXCLUSIVE')
    sql.prepare('PRAGMA journal_mode = TRUNCATE').get()
    sql.execute('BEGIN EXCLUSIVE; COMMIT')
    return sql.prepare('PRAGMA journal_mode').get()?.journal_mode === 'truncate'
  } catch (failure) {
    if (!isLocked(failure)) throw failure
    return false
  }
}
