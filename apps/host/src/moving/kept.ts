import { existsSync } from 'node:fs'
import { type KeptPart, type KeptTable, opensUnder, readKept } from '@quittance/billing'
import type { PostgresPrograms } from '@quittance/event-store/postgres'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'

/** Where one side of a copy keeps what belongs to its log. */
export type Keeper =
  /** Each file may be missing. */
  | { readonly _tag: 'files'; readonly unlogged: string | null; readonly vault: string }
  /** `vaultUrl`: the database of the vault, where it has one of its own. */
  | { readonly _tag: 'database'; readonly connectionString: string; readonly vaultUrl: string | null }

/** All that belongs to a log. `vault` is null where both sides of a copy have the same one. */
export type Kept = {
  readonly unlogged: ReadonlyArray<KeptTable>
  readonly vault: ReadonlyArray<KeptTable> | null
}

/** Why keys cannot be moved. Nothing was changed then. */
export type KeyFailure =
  /** There are keys, and no master key to try them with. */
  | 'NoMasterKey'
  /** The master key does not open the source's vault. */
  | 'WrongMasterKey'
  /** The target has a vault that the master key does not open. */
  | 'OtherVault'

/** Programs on a database, for as long as some work takes. */
export const inDatabase = async <A>(
  connectionString: string,
  work: (sql: PostgresPrograms) => Promise<A>,
): Promise<A> => {
  const { postgresPrograms } = await import('@quittance/event-store/postgres')
  const sql = await postgresPrograms({ connectionString, connections: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}

const readFile = (path: string | null, part: KeptPart): ReadonlyArray<KeptTable> => {
  if (path === null || !existsSync(path)) return []
  const database = openDatabase(path, { durability: 'full', readOnly: true })
  try {
    // One state of the file, which a program alone takes from one that is written to.
    database.execute('BEGIN')
    return runNow(database, readKept(sqlitePrograms(database).dialect, part))
  } finally {
    database.close()
  }
}

/** Reads one part of what is kept. Errors: throws the failures of the file or the database. */
export const readPart = (keeper: Keeper, part: KeptPart): Promise<ReadonlyArray<KeptTable>> => {
  switch (keeper._tag) {
    case 'files':
      return Promise.resolve(readFile(keeper[part], part))
    case 'database': {
      const elsewhere = part === 'vault' ? keeper.vaultUrl : null
      return inDatabase(elsewhere ?? keeper.connectionString, (sql) => sql.run(readKept(sql.dialect, part)))
    }
  }
}

const hasKeys = (vault: ReadonlyArray<KeptTable>): boolean =>
  vault.some(({ name, rows }) => name === 'vault' && rows.length > 0)

/** Two databases that have one vault for both leave it where it is. */
export const sharesVault = (from: Keeper, to: Keeper): boolean =>
  from._tag === 'database' && to._tag === 'database' && from.vaultUrl !== null && from.vaultUrl === to.vaultUrl

/** Whether the master key opens every key of the source, and all that the target may have already. */
export const checkKeys = async (
  from: Keeper,
  to: Keeper,
  masterKey: Uint8Array | null,
): Promise<E.Either<KeyFailure, ReadonlyArray<KeptTable>>> => {
  const [vault, before] = [await readPart(from, 'vault'), await readPart(to, 'vault')]
  if (masterKey === null) return hasKeys(vault) || hasKeys(before) ? E.left('NoMasterKey') : E.right(vault)
  if (!opensUnder(masterKey, vault)) return E.left('WrongMasterKey')
  return opensUnder(masterKey, before) ? E.right(vault) : E.left('OtherVault')
}

/**
 * Reads all that belongs to the source's log. The log is asked afterwards whether it has grown: tables that were read before
 * refer to no event behind its end.
 */
export const readKeptOf = async (
  from: Keeper,
  to: Keeper,
  masterKey: Uint8Array | null,
  isStillEnd: () => Promise<boolean>,
): Promise<E.Either<KeyFailure | 'SourceGrew', Kept>> => {
  const unlogged = await readPart(from, 'unlogged')
  const vault = sharesVault(from, to) ? E.right(null) : await checkKeys(from, to, masterKey)
  if (E.isLeft(vault)) return vault
  return (await isStillEnd()) ? E.right({ unlogged, vault: vault.right }) : E.left('SourceGrew')
}
