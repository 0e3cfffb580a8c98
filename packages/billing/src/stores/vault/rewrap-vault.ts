import { createSecretKey } from 'node:crypto'
import type { SqlDatabase } from '@quittance/event-store'
import { isLocked } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { decrypt, encrypt } from './cipher.ts'
import { lookupKeyName } from './sqlite-vault.ts'

/** Why the vault cannot be moved to another master key. */
export type RewrapFailure =
  /** Another process has the vault open: it would go on to wrap keys with the old master key. */
  | { readonly _tag: 'VaultInUse' }
  /** Neither the old nor the new master key opens the vault. */
  | { readonly _tag: 'WrongMasterKey' }
  /** Nothing was ever kept in the vault. */
  | { readonly _tag: 'VaultEmpty' }

/**
 * Wraps every key of a vault's file with another master key, in one transaction, and leaves nothing in the file that the old
 * one opens. The keys themselves stay. Answers how many were wrapped anew: none if an earlier call has done so. Needs a
 * connection of its own, which keeps everybody else out until it is closed.
 */
export const rewrapVault = (
  sql: SqlDatabase,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): E.Either<RewrapFailure, number> => {
  if (!isOwnAlone(sql)) return E.left({ _tag: 'VaultInUse' })
  const hasTable = sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vault'").get() !== undefined
  const lookupKey = hasTable
    ? sql.prepare('SELECT wrapped FROM vault WHERE name = ?').get(lookupKeyName)?.wrapped
    : null
  if (!(lookupKey instanceof Uint8Array)) return E.left({ _tag: 'VaultEmpty' })
  const [from, to] = [createSecretKey(oldMasterKey), createSecretKey(newMasterKey)]
  const opens = (key: typeof from): boolean =>
    E.isRight(
      E.tryCatch(
        () => decrypt(key, lookupKeyName, lookupKey),
        () => null,
      ),
    )
  const isDone = opens(to)
  if (!isDone && !opens(from)) return E.left({ _tag: 'WrongMasterKey' })
  let rewrapped = 0
  sql.transaction(() => {
    if (isDone) return
    const update = sql.prepare('UPDATE vault SET wrapped = ? WHERE name = ?')
    // The row of an erased key stays empty.
    for (const { name, wrapped } of sql.prepare("SELECT name, wrapped FROM vault WHERE wrapped <> x''").all()) {
      if (typeof name !== 'string' || !(wrapped instanceof Uint8Array)) throw new Error('the vault holds another type')
      const key = decrypt(from, name, wrapped)
      update.run(encrypt(to, name, key), name)
      key.fill(0)
      rewrapped += 1
    }
  })
  // What the old key opens might remain in pages that are only half filled.
  sql.execute('VACUUM')
  return E.right(rewrapped)
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
