import { type PostgresSql, textArray } from '@quittance/event-store/postgres'
import type { RowValues } from '../changed-rows.ts'
import { type Index, indexes, type StoredRow } from '../table-rows.ts'

// SQLite's indexes end with the id anyway.
const definitions = { ...indexes, key: '(lookup_key, id) WHERE lookup_key IS NOT NULL' }

/**
 * Makes a table of rows with these indexes, where there is none of this name. Ids are unique by an index of another
 * order: one that serves ORDER BY id would be preferred to those of the lists, and read the rows of all others. Bodies are text, as in SQLite: `jsonb`
 * would write numbers anew and refuses escaped characters that JSON allows. Keys sort by their bytes, as in SQLite.
 */
export const createTable = async (sql: PostgresSql, table: string, chosen: ReadonlyArray<Index>): Promise<void> => {
  // Asked first, since even IF NOT EXISTS takes a lock that writers have to wait for.
  const { rows } = await sql.query('SELECT to_regclass($1) IS NOT NULL AS found', [table])
  if (rows[0]?.found === true) return
  await sql.execute(`
    CREATE TABLE ${table} (
      due_at bigint, revision bigint NOT NULL,
      id text COLLATE "C" NOT NULL, merchant_id text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL,
      listed_under text COLLATE "C", status text COLLATE "C", lookup_key text COLLATE "C",
      body text COLLATE "C" NOT NULL
    );
    CREATE UNIQUE INDEX ${table}_id ON ${table} (id text_pattern_ops);
    ${chosen.map((index) => `CREATE INDEX ${table}_${index} ON ${table} ${definitions[index]};`).join('\n')}
  `)
}

/** The rows of a table that have one of these ids. */
export const rowsWithIds = async (
  sql: PostgresSql,
  table: string,
  ids: ReadonlyArray<string>,
): Promise<ReadonlyArray<StoredRow>> => {
  if (ids.length === 0) return []
  const read = `SELECT id, merchant_id, environment, revision, body FROM ${table} WHERE id = ANY($1::text[])`
  return (await sql.query(read, [ids])).rows
}

/** Writes rows of different ids. A row that is there keeps its owner. */
export const saveRows = async (sql: PostgresSql, table: string, rows: ReadonlyArray<RowValues>): Promise<void> => {
  if (rows.length === 0) return
  await sql.query(
    `INSERT INTO ${table} (id, merchant_id, environment, listed_under, status, lookup_key, due_at, revision, body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
       $8::bigint[], $9::text[])
     ON CONFLICT (id) DO UPDATE SET listed_under = excluded.listed_under, status = excluded.status,
       lookup_key = excluded.lookup_key, due_at = excluded.due_at, revision = excluded.revision, body = excluded.body`,
    [
      rows.map(({ id }) => id),
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ environment }) => environment),
      rows.map(({ listedUnder }) => listedUnder),
      rows.map(({ status }) => status),
      rows.map(({ lookupKey }) => lookupKey),
      rows.map(({ dueAt }) => dueAt),
      rows.map(({ revision }) => revision),
      // Bodies are JSON, so they hold no control characters. The driver's own way takes much longer.
      textArray(rows.map(({ body }) => body)),
    ],
  )
}
