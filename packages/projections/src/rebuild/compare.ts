import type { SqlDatabase } from '@quittance/event-store'
import type { StoredRow } from '../table-rows.ts'

/** A row that is not the same in two tables; null where it is missing. All columns, as they stand in the table. */
export type Difference = {
  readonly id: string
  readonly live: StoredRow | null
  readonly rebuilt: StoredRow | null
}

/** The differences in one stretch of ids, how many there are, and its last id; null when nothing comes after it. */
export type Compared = {
  readonly differences: ReadonlyArray<Difference>
  readonly ids: number
  readonly last: string | null
}

/** Compares two tables of rows, so many ids after a given one. It reads only. */
export const comparer = (
  database: SqlDatabase,
  live: string,
  rebuilt: string,
): ((after: string, most: number) => Compared) => {
  const nextIds = database.prepare(
    `SELECT id FROM ${live} WHERE id > ? UNION SELECT id FROM ${rebuilt} WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const liveRows = database.prepare(`SELECT * FROM ${live} WHERE id > ? AND id <= ?`)
  const rebuiltRows = database.prepare(`SELECT * FROM ${rebuilt} WHERE id > ? AND id <= ?`)
  return (after, most) => {
    const ids = nextIds.all(after, after, most).map(({ id }) => String(id))
    const last = ids.at(-1)
    if (last === undefined) return { differences: [], ids: 0, last: null }
    const differences = differencesIn(ids, liveRows.all(after, last), rebuiltRows.all(after, last))
    return { differences, ids: ids.length, last: ids.length < most ? null : last }
  }
}

/** The rows of these ids that differ. */
export const differencesIn = (
  ids: ReadonlyArray<string>,
  live: ReadonlyArray<StoredRow>,
  rebuilt: ReadonlyArray<StoredRow>,
): ReadonlyArray<Difference> => {
  const [known, built] = [byId(live), byId(rebuilt)]
  return ids.flatMap((id) => {
    const difference = { id, live: known.get(id) ?? null, rebuilt: built.get(id) ?? null }
    return isSame(difference) ? [] : [difference]
  })
}

const byId = (rows: ReadonlyArray<StoredRow>): ReadonlyMap<string, StoredRow> =>
  new Map(rows.map((row) => [String(row.id), row]))

const isSame = ({ live, rebuilt }: Difference): boolean =>
  live !== null && rebuilt !== null && Object.keys(rebuilt).every((column) => live[column] === rebuilt[column])
