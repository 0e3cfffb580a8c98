import type { SqlDatabase, SqlRow } from '../../sql.ts'
import { integer, text } from '../../sqlite/rows.ts'

/** A position in `$all`. Events of one write share their commit position, so only both halves identify them. */
export type Position = { readonly commit: number; readonly prepare: number }

/** A stored event of the peer: bodies are bytes, `created` is in Unix milliseconds. */
export type PeerEvent = {
  readonly sequence: number
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
  readonly created: number
}

export type Proposed = Pick<PeerEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>

const tables = `
  CREATE TABLE IF NOT EXISTS peer_events (
    sequence     INTEGER PRIMARY KEY,
    commit_at    INTEGER NOT NULL,
    prepare_at   INTEGER NOT NULL,
    stream       TEXT    NOT NULL,
    revision     INTEGER NOT NULL,
    id           TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    content_type TEXT    NOT NULL,
    data         BLOB    NOT NULL,
    metadata     BLOB    NOT NULL,
    created      INTEGER NOT NULL,
    UNIQUE (stream, revision),
    UNIQUE (commit_at, prepare_at)
  ) STRICT`

const bytes = (row: SqlRow, column: string): Uint8Array => {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new Error(`${column} does not hold bytes`)
  return value
}

const fromRow = (row: SqlRow): PeerEvent => ({
  sequence: integer(row, 'sequence'),
  position: { commit: integer(row, 'commit_at'), prepare: integer(row, 'prepare_at') },
  stream: text(row, 'stream'),
  revision: integer(row, 'revision'),
  id: text(row, 'id'),
  type: text(row, 'type'),
  contentType: text(row, 'content_type'),
  data: bytes(row, 'data'),
  metadata: bytes(row, 'metadata'),
  created: integer(row, 'created'),
})

export type PeerLog = {
  /** The revision of a stream's last event; -1 without events. */
  readonly lastRevision: (stream: string) => number
  readonly revisionOf: (stream: string, id: string) => number | null
  /** Writes events at a stream's end and answers the last one. */
  readonly insert: (stream: string, lastRevision: number, events: ReadonlyArray<Proposed>, created: number) => PeerEvent
  readonly streamForwards: (stream: string, from: number, limit: number) => ReadonlyArray<PeerEvent>
  readonly streamBackwards: (stream: string, from: number, limit: number) => ReadonlyArray<PeerEvent>
  /** The sequence number of the last event; 0 without events. */
  readonly end: () => number
  /** The sequence number of the last event before a position, or at it if inclusive; 0 without any. */
  readonly sequenceBefore: (position: Position, isInclusive: boolean) => number
  readonly allAfter: (sequence: number, limit: number) => ReadonlyArray<PeerEvent>
  readonly allBackwards: (sequence: number, limit: number) => ReadonlyArray<PeerEvent>
}

// Spread out like log records, so that a position cannot be taken for a count.
const recordLength = 64

/** The peer's events in a SQLite file: order and uniqueness only; `judge-append.ts` decides what may be written. */
export const peerLog = (sql: SqlDatabase): PeerLog => {
  sql.execute(tables)
  const last = sql.prepare('SELECT coalesce(max(revision), -1) AS revision FROM peer_events WHERE stream = ?')
  const byId = sql.prepare('SELECT min(revision) AS revision FROM peer_events WHERE stream = ? AND id = ?')
  const tail = sql.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM peer_events')
  const insertRow = sql.prepare('INSERT INTO peer_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const before = (comparison: string) =>
    sql.prepare(
      `SELECT coalesce(max(sequence), 0) AS sequence FROM (SELECT sequence FROM peer_events
       WHERE (commit_at, prepare_at) ${comparison} (?, ?) ORDER BY commit_at DESC, prepare_at DESC LIMIT 1)`,
    )
  const [atOrBefore, strictlyBefore] = [before('<='), before('<')]
  const reading = (where: string, order: string) => {
    const statement = sql.prepare(`SELECT * FROM peer_events WHERE ${where} ORDER BY ${order} LIMIT ?`)
    return (...parameters: ReadonlyArray<string | number>) => statement.all(...parameters).map(fromRow)
  }

  return {
    lastRevision: (stream) => integer(last.get(stream), 'revision'),
    revisionOf: (stream, id) => {
      const revision = byId.get(stream, id)?.revision
      return typeof revision === 'number' ? revision : null
    },
    insert: (stream, lastRevision, events, created) => {
      const first = integer(tail.get(), 'sequence') + 1
      const commit = (first + events.length - 1) * recordLength
      const written = events.map(
        (event, index): PeerEvent => ({
          ...event,
          sequence: first + index,
          position: { commit, prepare: (first + index) * recordLength },
          stream,
          revision: lastRevision + 1 + index,
          created,
        }),
      )
      for (const { sequence, position, revision, id, type, contentType, data, metadata } of written) {
        const { prepare } = position
        insertRow.run(sequence, commit, prepare, stream, revision, id, type, contentType, data, metadata, created)
      }
      const end = written.at(-1)
      if (end === undefined) throw new Error('There is nothing to insert')
      return end
    },
    streamForwards: reading('stream = ? AND revision >= ?', 'revision'),
    streamBackwards: reading('stream = ? AND revision <= ?', 'revision DESC'),
    end: () => integer(tail.get(), 'sequence'),
    sequenceBefore: ({ commit, prepare }, isInclusive) =>
      integer((isInclusive ? atOrBefore : strictlyBefore).get(commit, prepare), 'sequence'),
    allAfter: reading('sequence > ?', 'sequence'),
    allBackwards: reading('sequence <= ?', 'sequence DESC'),
  }
}
