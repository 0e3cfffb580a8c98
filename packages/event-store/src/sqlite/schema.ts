import { NewerSchema } from '../newer-schema.ts'
import type { SqlDatabase } from '../sql.ts'
import { integer } from './rows.ts'

const schemaVersion = 2

/** The table of events, in the log's file as in its segments. */
export const eventTable = `
  CREATE TABLE events (
    position       INTEGER PRIMARY KEY,
    stream         TEXT    NOT NULL,
    revision       INTEGER NOT NULL,
    id             TEXT    NOT NULL,
    type           TEXT    NOT NULL,
    schema_version INTEGER NOT NULL,
    data           TEXT    NOT NULL,
    metadata       TEXT    NOT NULL,
    hash           TEXT    NOT NULL,
    digest         TEXT    NOT NULL,
    recorded_at    INTEGER NOT NULL
  ) STRICT;
`

export const streamIndex = 'CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);'

const tables = `
  ${eventTable}
  ${streamIndex}
  CREATE TABLE inline_projections (
    name     TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;
`

/** Since version 2: the segments of the log, and the last archived event of each stream with archived events. */
const archiveTables = `
  CREATE TABLE segments (
    first_position INTEGER PRIMARY KEY,
    last_position  INTEGER NOT NULL,
    digest_before  TEXT    NOT NULL,
    digest         TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    sha256         TEXT    NOT NULL,
    bytes          INTEGER NOT NULL,
    sealed_at      INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE archived_heads (
    stream   TEXT    PRIMARY KEY,
    revision INTEGER NOT NULL,
    hash     TEXT    NOT NULL,
    position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`

/** The schema version of a file; 0 without tables. Errors: throws `NewerSchema`. */
export const readSchemaVersion = (sql: SqlDatabase): number => {
  const found = integer(sql.prepare('PRAGMA user_version').get(), 'user_version')
  if (found > schemaVersion) throw new NewerSchema(found, schemaVersion)
  return found
}

/** Whether a file has the tables of the archive. */
export const hasArchive = (sql: SqlDatabase): boolean => readSchemaVersion(sql) > 1

/** Creates missing tables. Several processes may try at once. */
export const createSchema = (sql: SqlDatabase): void => {
  if (readSchemaVersion(sql) === schemaVersion) return
  sql.transaction(() => {
    const found = readSchemaVersion(sql)
    if (found === 0) sql.execute(tables)
    if (found < schemaVersion) sql.execute(archiveTables)
  })
}
