import type { SqlDatabase } from '../sql.ts'
import { NewerSchema } from './failures.ts'
import { integer } from './rows.ts'

const schemaVersion = 1

const tables = `
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
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE inline_projections (
    name     TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`

/** The schema version of a file; 0 without tables. Errors: throws `NewerSchema`. */
export const readSchemaVersion = (sql: SqlDatabase): number => {
  const found = integer(sql.prepare('PRAGMA user_version').get(), 'user_version')
  if (found > schemaVersion) throw new NewerSchema(found, schemaVersion)
  return found
}

/** Creates missing tables. Several processes may try at once. */
export const createSchema = (sql: SqlDatabase): void => {
  if (readSchemaVersion(sql) === schemaVersion) return
  sql.transaction(() => {
    if (readSchemaVersion(sql) === 0) sql.execute(tables)
  })
}
