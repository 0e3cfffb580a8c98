import { Buffer } from 'node:buffer'
import { hash as digestOf } from 'node:crypto'
import type { EventMetadata, NewEvent } from '@quittance/domain'
import { canonicalJson, requireExact } from './canonical.ts'
import type { Head } from './port.ts'

/** A stored event: `data` and `metadata` (without its hash) as RFC 8785 text, hashes as 64 hex digits. */
export type StoredEvent = {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly schemaVersion: number
  readonly data: string
  readonly metadata: string
  readonly hash: string
}

/** The digest of a log without events. */
export const emptyDigest = '0'.repeat(64)

/** The end of the log: its last position (0 without events) and the running digest up to it. */
export type LogTail = { readonly position: number; readonly digest: string }

// Reused so that hashing allocates nothing; it grows to the largest event hashed.
let scratch = Buffer.allocUnsafe(16 * 1024)
const hashBytes = 32
const largestUtf8PerUnit = 3

const sha256After = (previousHash: string, text: string): string => {
  const room = hashBytes + text.length * largestUtf8PerUnit
  if (scratch.length < room) scratch = Buffer.allocUnsafe(room)
  scratch.write(previousHash, 0, 'hex')
  return digestOf('sha256', scratch.subarray(0, hashBytes + scratch.write(text, hashBytes)), 'hex')
}

/**
 * The RFC 8785 text that an event's hash covers: { data, id, metadata without hash, revision, schemaVersion, stream,
 * type }. It is assembled from the stored texts of the members, in key order, so that nothing is made canonical twice.
 */
export const hashedText = (event: Omit<StoredEvent, 'hash'>): string =>
  `{"data":${event.data},"id":${JSON.stringify(event.id)},"metadata":${event.metadata},"revision":${event.revision}` +
  `,"schemaVersion":${event.schemaVersion},"stream":${JSON.stringify(event.stream)},"type":${JSON.stringify(event.type)}}`

/** SHA-256(previous hash of the stream, 32 raw bytes ‖ UTF-8 of `hashedText`), in hex. */
export const eventHash = (previousHash: string, event: Omit<StoredEvent, 'hash'>): string =>
  sha256After(previousHash, hashedText(event))

/** The running digest after one more event of the log: SHA-256(previous digest ‖ event hash), both as 32 raw bytes. */
export const nextDigest = (digest: string, hash: string): string => {
  scratch.write(digest, 0, 'hex')
  scratch.write(hash, hashBytes, 'hex')
  return digestOf('sha256', scratch.subarray(0, 2 * hashBytes), 'hex')
}

/** The limit of an event's canonical data, in UTF-16 code units. */
const longestData = 1_048_576

/**
 * Seals an event after a head, in its stored form.
 * Errors: throws `TypeError` where a value has no exact JSON form (see `canonicalJson`), and `RangeError` where the
 * data is longer than `longestData`.
 */
export const sealEvent = (head: Head, stream: string, event: NewEvent): StoredEvent => {
  const { actor, causationId, commandId, correlationId, environment, merchantId, occurredAt } = event.context
  const previousHash = head.hash
  requireExact([event.id, stream, event.type, event.schemaVersion])
  const data = canonicalJson(event.data)
  if (data.length > longestData) throw new RangeError(`The data of ${event.type} is too long: ${data.length}`)
  const named = {
    id: event.id,
    stream,
    revision: Number(head.revision) + 1,
    type: event.type,
    schemaVersion: event.schemaVersion,
    data,
    metadata: canonicalJson({
      actor,
      causationId,
      commandId,
      correlationId,
      environment,
      merchantId,
      occurredAt,
      previousHash,
    }),
  }
  return { ...named, hash: eventHash(previousHash, named) }
}

/** The metadata of a sealed event, as readers see it. */
export const sealedMetadata = ({ context }: NewEvent, previousHash: string, hash: string): EventMetadata => {
  const { actor, causationId, commandId, correlationId, environment, merchantId, occurredAt } = context
  return { actor, causationId, commandId, correlationId, environment, merchantId, occurredAt, previousHash, hash }
}

/** The hash that an event names as its predecessor's; unsealed metadata gives a text that matches no hash. */
export const previousHashOf = ({ metadata }: StoredEvent): string => metadata.slice(-2 - 2 * hashBytes, -2)

const namedLast = '"previousHash":"'

/**
 * Why a stored event does not follow `previousHash`, or null where it does. `previousHash` comes last in the canonical
 * metadata, since no other key sorts after it. Comparing in place avoids building a text, which would cost as much as
 * hashing a small event.
 */
export const brokenLink = (previousHash: string, event: StoredEvent): string | null => {
  const { metadata } = event
  const start = metadata.length - 2 - 2 * hashBytes
  const isNamed =
    previousHashOf(event) === previousHash &&
    metadata.endsWith('"}') &&
    metadata.startsWith(namedLast, start - namedLast.length)
  if (!isNamed) return 'does not follow the event before it'
  if (eventHash(previousHash, event) !== event.hash) return 'its hash does not match its content'
  return null
}
