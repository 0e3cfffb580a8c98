import { createHash } from 'node:crypto'
import { makeId, type UnixMs } from '@quittance/domain'
import type * as t from 'io-ts'
import { v5 } from 'uuid'

/** The namespace of all our name-based identifiers; frozen, since stored identifiers derive from it. */
const namespace = '6f1a3c52-9d1e-5b7a-8c40-2f6d0e9b7a11'

/**
 * The id of a command that follows from `cause`: an event's id, `network/hash/operation`, or any other name that is the same
 * each time. UUIDv5, so that a process that runs again repeats it.
 */
export const derivedCommandId = (cause: string, step: string): string => v5(`${cause}\n${step}`, namespace)

/** The id of the `ordinal`-th event that a command appends to a stream: UUIDv5 of the three. */
export const eventId = (commandId: string, stream: string, ordinal: number): string =>
  v5(`${stream}\n${ordinal}`, commandId)

/**
 * The id of a resource that a command creates: prefix + 22 base62 characters of 48 bits of its time and 80 bits of
 * SHA-256(command id, kind, ordinal). Ordered by time, and the same on every retry.
 */
export const createdId = <A extends string>(
  codec: t.Type<A, string, unknown> & { readonly prefix: string },
  at: UnixMs,
  commandId: string,
  ordinal = 0,
): A => {
  const digest = createHash('sha256').update(`${commandId}\n${codec.prefix}\n${ordinal}`).digest()
  return makeId(codec, at, digest.subarray(0, 10))
}
