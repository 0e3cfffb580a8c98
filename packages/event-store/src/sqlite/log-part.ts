import { brokenLink, emptyDigest, nextDigest, previousHashOf } from '../chain.ts'
import { noEvents } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { text } from './rows.ts'
import { tolerantReader } from './tolerant-read.ts'

/** What a part of a log holds of a stream: its first event there, with the hash that it names, and its last one. */
export type StreamPart = readonly [
  stream: string,
  firstRevision: number,
  previousHash: string,
  lastRevision: number,
  lastHash: string,
]

type Sound = { readonly events: number; readonly streams: ReadonlyArray<StreamPart> }

const positionsPerRead = 1_000

const digestAt = (sql: SqlDatabase, position: number): string =>
  position === 0
    ? emptyDigest
    : text(sql.prepare('SELECT digest FROM events WHERE position = ?').get(position), 'digest')

/**
 * Checks positions in (after, last] by themselves: each event's hash, its link within the part, gapless positions, and the
 * running digest from the one before the part on. Null where anything is not as it was written, or cannot be read.
 */
export const soundPart = (sql: SqlDatabase, after: number, last: number): Sound | null => {
  const read = tolerantReader(sql)
  const streams = new Map<string, { firstRevision: number; previousHash: string; revision: number; hash: string }>()
  let [position, digest] = [after, digestAt(sql, after)]
  while (position < last) {
    const rows = read(position, Math.min(position + positionsPerRead, last))
    if (rows.length === 0) return null
    for (const { logged } of rows) {
      if (logged === null || logged.position !== position + 1) return null
      const { event } = logged
      const { stream, revision, hash } = event
      const end = streams.get(stream)
      const previousHash = end?.hash ?? previousHashOf(event)
      if (brokenLink(previousHash, event) !== null) return null
      if (end === undefined) streams.set(stream, { firstRevision: revision, previousHash, revision, hash })
      else if (revision !== end.revision + 1) return null
      else [end.revision, end.hash] = [revision, hash]
      digest = nextDigest(digest, hash)
      if (logged.digest !== digest) return null
      position = logged.position
    }
  }
  return {
    events: last - after,
    streams: [...streams].map(([stream, { firstRevision, previousHash, revision, hash }]) => [
      stream,
      firstRevision,
      previousHash,
      revision,
      hash,
    ]),
  }
}

/** Puts the parts of a log together, in their order; answers whether each stream goes on where it ended before. */
export const joinParts = (): ((streams: ReadonlyArray<StreamPart>) => boolean) => {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>()
  return (streams) => {
    for (const [stream, firstRevision, previousHash, revision, hash] of streams) {
      const end = ends.get(stream) ?? { revision: -1, hash: noEvents.hash }
      if (firstRevision !== end.revision + 1 || previousHash !== end.hash) return false
      ends.set(stream, { revision, hash })
    }
    return true
  }
}
