import type { AllStreamResolvedEvent, EventData, ResolvedEvent } from '@eventstore/db-client'
import type { EventMetadata, JsonObject, NewEvent, RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { type StoredEvent, sealEvent, sealedMetadata } from '../chain.ts'
import { type Head, noEvents } from '../port.ts'
import { portPosition } from './positions.ts'

/** A sealed event, as sent and as it will be read. */
export type SealedEvent = {
  readonly id: string
  readonly sent: EventData
  readonly recorded: Omit<RecordedEvent, 'position' | 'recordedAt'>
}

/**
 * The id under which the server stores an event: a UUID of version 8 made from its hash. The server treats equal ids as
 * a repeat; with these ids, only the same bytes after the same event are one, so a caller that hears "written" knows
 * what is stored. The metadata carries the event's own id.
 */
const serverId = (hash: string): string => {
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) & 3)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const encoder = new TextEncoder()
const roomBytes = 64 * 1024
const largestUtf8PerUnit = 3
let room = new Uint8Array(roomBytes)

/** The UTF-8 bytes of a text, in memory that many texts share: to allocate each apart costs more than to encode it. */
const utf8 = (text: string): Uint8Array => {
  const most = text.length * largestUtf8PerUnit
  if (most > roomBytes) return encoder.encode(text)
  if (most > room.length) room = new Uint8Array(roomBytes)
  const { written } = encoder.encodeInto(text, room)
  const bytes = room.subarray(0, written)
  // Bytes that were given away are never written again.
  room = room.subarray(written)
  return bytes
}

/** The sealed metadata byte for byte, then the values that the server has no field for. */
const metadataBytes = ({ metadata, hash, id, schemaVersion }: StoredEvent): Uint8Array =>
  utf8(`${metadata.slice(0, -1)},"hash":"${hash}","id":${JSON.stringify(id)},"schemaVersion":${schemaVersion}}`)

/** A sealed event as it is sent. */
export const storedToSend = (stored: StoredEvent, data: JsonObject): EventData => ({
  id: serverId(stored.hash),
  contentType: 'application/json',
  type: stored.type,
  data,
  metadata: metadataBytes(stored),
})

/**
 * Hashes and encodes the events of an append.
 * Errors: throws `RangeError` for a revision below -1, `TypeError` for values without exact JSON form.
 */
export const sealEvents = (stream: string, head: Head, events: ReadonlyArray<NewEvent>): ReadonlyArray<SealedEvent> => {
  if (head.revision < noEvents.revision) throw new RangeError(`No stream ends at revision ${head.revision}`)
  let last = head
  return events.map((event) => {
    const stored = sealEvent(last, stream, event)
    const { id, type, schemaVersion, data } = event
    const metadata = sealedMetadata(event, last.hash, stored.hash)
    last = { revision: last.revision + 1n, hash: stored.hash }
    return {
      id,
      sent: storedToSend(stored, data),
      recorded: { id, stream, revision: last.revision, type, schemaVersion, data, metadata },
    }
  })
}

type WireMetadata = EventMetadata & { readonly id: string; readonly schemaVersion: number }

const texts = ['actor', 'commandId', 'correlationId', 'environment', 'hash', 'id', 'merchantId', 'previousHash']
const numbers = ['occurredAt', 'schemaVersion']

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

const isWireMetadata = (value: unknown): value is WireMetadata =>
  isObject(value) &&
  texts.every((name) => typeof value[name] === 'string') &&
  numbers.every((name) => typeof value[name] === 'number') &&
  (value.causationId === null || typeof value.causationId === 'string')

const isJsonObject = (value: unknown): value is JsonObject => isObject(value)

/**
 * Decodes a server's event; null for a system event or another application's.
 * Errors: throws `AlteredLog` where the server does not give the position of one of ours in `$all`.
 */
export const recordedEvent = ({ event }: ResolvedEvent | AllStreamResolvedEvent): RecordedEvent | null => {
  if (event === undefined || event.streamId.startsWith('$')) return null
  const { metadata: wire, data } = event
  if (!isWireMetadata(wire) || !isJsonObject(data)) return null
  const position = portPosition(event.position)
  if (position === null) throw new AlteredLog('The event store gives no positions in streams: it is older than 22.6')
  const { id, schemaVersion, ...metadata } = wire
  const { streamId: stream, revision, type, created } = event
  return { id, stream, revision, position, type, schemaVersion, data, metadata, recordedAt: created.getTime() }
}
