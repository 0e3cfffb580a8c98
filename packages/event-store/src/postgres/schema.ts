import { NewerSchema } from '../newer-schema.ts'
import { appendFunction, takeLogLock } from './append-function.ts'
import type { Connection, Connections } from './connection.ts'
import { integer } from './rows.ts'
import type { PostgresSql } from './sql.ts'

const firstVersion = `
  CREATE TABLE events (
    position       bigint  PRIMARY KEY,
    recorded_at    bigint  NOT NULL,
    revision       bigint  NOT NULL,
    schema_version bigint  NOT NULL,
    hash           bytea   NOT NULL,
    digest         bytea   NOT NULL,
    stream         text    COLLATE "C" NOT NULL,
    id             text    COLLATE "C" NOT NULL,
    type           text    COLLATE "C" NOT NULL,
    data           text    COLLATE "C" NOT NULL,
    metadata       text    COLLATE "C" NOT NULL
  );
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE inline_projections (
    name     text   COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (name, version)
  ) WITH (fillfactor = 50);
  ${appendFunction}
`

/**
 * Each leads from the version before it to the next, while processes of older releases work. What is released stays as it is.
 * One that only adds something writes into a column `oldest` of `schema_version`, which it makes, the oldest version whose
 * processes may go on. All older ones stop.
 */
const migrations: ReadonlyArray<string> = [firstVersion]
const schemaVersion = migrations.length

/** `oldest` is null where no migration has made that column, or where processes of no other version may go on. */
const newestVersion = `
  SELECT version, (to_jsonb(s) ->> 'oldest')::bigint AS oldest FROM schema_version s ORDER BY version DESC LIMIT 1`

/** The version of a schema with tables. Errors: throws `NewerSchema` where processes of this release may not go on. */
export const requireKnownSchema = async ({ query }: PostgresSql): Promise<number> => {
  const { rows } = await query(newestVersion)
  const found = integer(rows[0], 'version')
  const oldest = rows[0]?.oldest === null ? found : integer(rows[0], 'oldest')
  if (Math.min(oldest, found) > schemaVersion) throw new NewerSchema(found, schemaVersion)
  return found
}

/** The version of a schema; 0 without tables. Errors: throws `NewerSchema`. */
export const readSchemaVersion = async (sql: PostgresSql, schema: string): Promise<number> => {
  const { rows } = await sql.query('SELECT to_regclass($1) IS NOT NULL AS found', [`${schema}.schema_version`])
  return rows[0]?.found === true ? requireKnownSchema(sql) : 0
}

const hasSchema = async ({ query }: Connection, schema: string): Promise<boolean> =>
  (await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rows.length > 0

const requireSchema = async (connection: Connection, schema: string): Promise<void> => {
  await connection.execute(`SELECT pg_advisory_xact_lock(1364544853, hashtext('${schema}'))`)
  // Asked first, since even IF NOT EXISTS takes a right that the role may lack.
  if (!(await hasSchema(connection, schema))) await connection.execute(`CREATE SCHEMA ${schema}`)
}

/** Creates a schema without tables, if it is missing. Several processes may try at once. */
export const createSchemaAlone = (connections: Connections, schema: string): Promise<void> =>
  connections.use(async (connection) => {
    if (await hasSchema(connection, schema)) return
    await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
    await requireSchema(connection, schema)
    await connection.commit()
  })

const migrate = async (connection: Connection, schema: string): Promise<void> => {
  const { execute, query } = connection
  await requireSchema(connection, schema)
  const found = await readSchemaVersion(connection, schema)
  if (found === 0) await execute('CREATE TABLE schema_version (version bigint PRIMARY KEY)')
  // After that, no append of an older release commits without having seen the new version.
  else await execute(`SELECT ${takeLogLock}`)
  for (const [index, migration] of migrations.entries()) {
    if (index < found) continue
    await execute(migration)
    await query('INSERT INTO schema_version VALUES ($1)', [index + 1])
  }
}

/** Creates what is missing. Several processes may try at once. Errors: throws `NewerSchema` and `PostgresError`. */
export const createSchema = (connections: Connections, schema: string): Promise<void> =>
  connections.use(async (connection) => {
    if ((await readSchemaVersion(connection, schema)) >= schemaVersion) return
    await connection.execute('BEGIN')
    await migrate(connection, schema)
    await connection.commit()
  })
