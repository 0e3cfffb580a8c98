import type { EventMetadata, JsonObject, RecordedEvent } from '@quittance/domain'
import type { StoredEvent } from '../chain.ts'
import type { SqlRow } from '../sql.ts'
import { AlteredLog } from './failures.ts'

/** Reads a column as a number. Errors: throws `AlteredLog`, since the tables are STRICT and only a torn page differs. */
export const integer = (row: SqlRow | undefined, column: string): number => {
  const value = row?.[column]
  if (typeof value !== 'number') throw new AlteredLog(`${column} is not a number in this file`)
  return value
}

/** Reads a column as text. Errors: throws `AlteredLog`. */
export const text = (row: SqlRow | undefined, column: string): string => {
  const value = row?.[column]
  if (typeof value !== 'string') throw new AlteredLog(`${column} is not text in this file`)
  return value
}

/** The columns that make up an event; its digest is read by verification alone. */
export const eventColumns = 'position, stream, revision, id, type, schema_version, data, metadata, hash, recorded_at'

export const storedFromRow = (row: SqlRow): StoredEvent => ({
  id: text(row, 'id'),
  stream: text(row, 'stream'),
  revision: integer(row, 'revision'),
  type: text(row, 'type'),
  schemaVersion: integer(row, 'schema_version'),
  data: text(row, 'data'),
  metadata: text(row, 'metadata'),
  hash: text(row, 'hash'),
})

/** The event of a row. Errors: throws `AlteredLog` where the stored text is no JSON. */
export const recordedFromRow = (row: SqlRow): RecordedEvent => {
  const stream = text(row, 'stream')
  const revision = integer(row, 'revision')
  try {
    // Sealed by this package on the way in; what decodes the body is the codec of its aggregate.
    const data: JsonObject = JSON.parse(text(row, 'data'))
    const metadata: EventMetadata = { ...JSON.parse(text(row, 'metadata')), hash: text(row, 'hash') }
    return {
      id: text(row, 'id'),
      stream,
      revision: BigInt(revision),
      position: BigInt(integer(row, 'position')),
      type: text(row, 'type'),
      schemaVersion: integer(row, 'schema_version'),
      data,
      metadata,
      recordedAt: integer(row, 'recorded_at'),
    }
  } catch (error) {
    throw new AlteredLog(`Event ${revision} of ${stream} cannot be read`, { cause: error })
  }
}
