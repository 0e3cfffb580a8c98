import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import type { StoredEvent } from '../chain.ts'
import { recordedFromStored } from '../recorded-from-stored.ts'
import { readName } from './names.ts'
import type { PostgresRow } from './sql.ts'

/** Reads a number. Errors: throws `AlteredLog`, since only somebody else's table differs. */
export const integer = (row: PostgresRow | undefined, column: string): number => {
  const value = row?.[column]
  if (typeof value !== 'number') throw new AlteredLog(`${column} is not a number in this log`)
  return value
}

/** Reads a text. Errors: throws `AlteredLog`. */
export const text = (row: PostgresRow | undefined, column: string): string => {
  const value = row?.[column]
  if (typeof value !== 'string') throw new AlteredLog(`${column} is not text in this log`)
  return value
}

/** The columns of an event; only verification reads its digest. */
export const eventColumns =
  "position, recorded_at, revision, schema_version, encode(hash, 'hex') AS hash, stream, id, type, data, metadata"

export const storedFromRow = (row: PostgresRow): StoredEvent => ({
  id: readName(text(row, 'id')),
  stream: readName(text(row, 'stream')),
  revision: integer(row, 'revision'),
  type: readName(text(row, 'type')),
  schemaVersion: integer(row, 'schema_version'),
  data: text(row, 'data'),
  metadata: text(row, 'metadata'),
  hash: text(row, 'hash'),
})

/** Decodes a row. Errors: throws `AlteredLog`. */
export const recordedFromRow = (row: PostgresRow): RecordedEvent =>
  recordedFromStored(storedFromRow(row), integer(row, 'position'), integer(row, 'recorded_at'))
