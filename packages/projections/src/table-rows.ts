import { wrongPlaces } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Found, ReadModel } from './read-model.ts'

/** The table that a version of a read model is served from. */
export const tableName = ({ name, version }: Pick<ReadModel<never>, 'name' | 'version'>): string => `${name}_${version}`

/**
 * Makes a table of rows with its indexes, where there is none of this name. A table that was renamed is left as it is:
 * its indexes keep the names that they were made under.
 */
export const createTable = (database: SqlDatabase, name: string): void => createIndexed(database, name, everyIndex)

/** As `createTable`, for rows that are only found by their ids and keys, and listed by one filter at a time. */
export const createListed = (database: SqlDatabase, name: string): void => createIndexed(database, name, searched)

/**
 * As `createTable`, for small rows that are only found by their ids: they are kept in the order of these. Larger ones are not, since
 * SQLite would keep whole rows in the inner pages of its search tree, too, and read a further page for each that it passes.
 */
export const createNamed = (database: SqlDatabase, name: string): void => create(database, name, [], 'WITHOUT ROWID')

export type Index = keyof typeof indexes
/** What each index of a table holds. */
export const indexes = {
  page: '(merchant_id, environment, id)',
  listed: '(merchant_id, environment, listed_under, id) WHERE listed_under IS NOT NULL',
  status: '(merchant_id, environment, status, id) WHERE status IS NOT NULL',
  listed_status:
    '(merchant_id, environment, listed_under, status, id) WHERE listed_under IS NOT NULL AND status IS NOT NULL',
  key: '(lookup_key, id) WHERE lookup_key IS NOT NULL',
  due: '(environment, due_at, id) WHERE due_at IS NOT NULL',
}
/** Of rows that are only found by their ids and keys, and listed by one filter at a time. */
export const searched: ReadonlyArray<Index> = ['page', 'listed', 'status', 'key']
export const everyIndex: ReadonlyArray<Index> = [...searched, 'listed_status', 'due']

/** As `createTable`, with these indexes alone. */
export const createIndexed = (database: SqlDatabase, name: string, chosen: ReadonlyArray<Index>): void =>
  create(database, name, chosen, null)

const create = (
  database: SqlDatabase,
  name: string,
  chosen: ReadonlyArray<Index>,
  order: 'WITHOUT ROWID' | null,
): void => {
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name)
  if (known !== undefined) return
  database.execute(`
    CREATE TABLE ${name} (
      id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
      listed_under TEXT, status TEXT, lookup_key TEXT, due_at INTEGER,
      revision INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT${order === null ? '' : `, ${order}`};
    ${chosen.map((index) => `CREATE INDEX ${name}_${index} ON ${name} ${indexes[index]};`).join('\n')}
  `)
}

/** A row as either database gives it, by its columns. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A defect if the body is not what this version has written: throws. */
export const decodeRow = <Row>(
  model: Pick<ReadModel<Row>, 'name' | 'row'>,
  { id, merchant_id, environment, body }: StoredRow,
): Found<Row> => {
  const decoded = model.row.decode(JSON.parse(String(body)))
  if (E.isLeft(decoded)) throw new Error(`a row of ${model.name} is damaged: ${wrongPlaces(decoded.left)}`)
  return {
    id: String(id),
    merchantId: String(merchant_id),
    environment: environment === 'mainnet' ? 'mainnet' : 'testnet',
    row: decoded.right,
  }
}
