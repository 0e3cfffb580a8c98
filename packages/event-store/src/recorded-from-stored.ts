import type { EventMetadata, JsonObject, RecordedEvent } from '@quittance/domain'
import { AlteredLog } from './altered-log.ts'
import type { StoredEvent } from './chain.ts'

/** Decodes a stored event. Errors: throws `AlteredLog` for invalid JSON. */
export const recordedFromStored = (stored: StoredEvent, position: number, recordedAt: number): RecordedEvent => {
  const { id, stream, revision, type, schemaVersion, hash } = stored
  try {
    // This package sealed the text; the aggregate's codec decodes the body.
    const data: JsonObject = JSON.parse(stored.data)
    const metadata: EventMetadata = { ...JSON.parse(stored.metadata), hash }
    return {
      id,
      stream,
      revision: BigInt(revision),
      position: BigInt(position),
      type,
      schemaVersion,
      data,
      metadata,
      recordedAt,
    }
  } catch (cause) {
    throw new AlteredLog(`Event ${revision} of ${stream} cannot be read`, { cause })
  }
}
