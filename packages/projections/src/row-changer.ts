import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { RowValues } from './changed-rows.ts'
import { given, type Prepared, prepare, sqlBuilder } from './compile.ts'

/**
 * Writes only those columns of a row by which it is found that have changed: each of them is in indexes, which SQLite writes
 * again for whatever is set.
 */
export const rowChanger = (database: SqlDatabase, table: string): ((before: SqlRow, values: RowValues) => void) => {
  const prepared = new Map<string, Prepared>()
  return (before, values) => {
    const changed = found.filter(([column, name]) => before[column] !== values[name])
    const key = changed.map(([column]) => column).join()
    const known = prepared.get(key) ?? prepare(database, changeOf(table, changed))
    prepared.set(key, known)
    known.run(values)
  }
}

/** The columns by which a row is found, and the values that they take. */
const found = [
  ['listed_under', 'listedUnder'],
  ['status', 'status'],
  ['lookup_key', 'lookupKey'],
  ['due_at', 'dueAt'],
] as const

const changeOf = (table: string, changed: ReadonlyArray<(typeof found)[number]>) =>
  sqlBuilder
    .updateTable(table)
    .set({ revision: given<number>('revision'), body: given<string>('body') })
    .set(Object.fromEntries(changed.map(([column, name]) => [column, given<string | number | null>(name)])))
    .where('id', '=', given<string>('id'))
