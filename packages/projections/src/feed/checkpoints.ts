import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'

/** The last event that was applied. It names the log: in a copy of it the same event has another position. */
export type LastApplied = {
  readonly stream: string
  readonly revision: bigint
  readonly hash: string
  readonly position: bigint
}

/** What a read model has applied of a log. */
export type Checkpoint = {
  /** The log's own number for the place; 0n before the first event. */
  readonly position: bigint
  /** How many events that was. */
  readonly events: number
  readonly last: LastApplied | null
}

type Version = { readonly name: string; readonly version: number }

export type Checkpoints = {
  readonly of: (model: Version) => Checkpoint
  /** `last` is the last event that the model has applied, and so many they were. */
  readonly set: (model: Version, last: RecordedEvent, events: number) => void
}

/** The events that read models have applied last, each with the number of events that the log held up to it. */
export const recordedHeads = (database: SqlDatabase) => {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'feed_checkpoints'")
  if (isThere.get() === undefined) return []
  return database
    .prepare('SELECT DISTINCT stream, revision, hash, position, events FROM feed_checkpoints')
    .all()
    .map((row) => ({ ...lastIn(row), events: Number(row.events) }))
}

/** Positions are wider than SQL's integers and kept as their digits. */
export const checkpoints = (database: SqlDatabase): Checkpoints => {
  database.execute(`CREATE TABLE IF NOT EXISTS feed_checkpoints (
    name TEXT NOT NULL, version INTEGER NOT NULL, position TEXT NOT NULL, events INTEGER NOT NULL,
    stream TEXT NOT NULL, revision INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID`)
  const find = database.prepare('SELECT * FROM feed_checkpoints WHERE name = ? AND version = ?')
  const save = database.prepare('INSERT OR REPLACE INTO feed_checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)')
  return {
    of: ({ name, version }) => checkpointIn(find.get(name, version)),
    set: ({ name, version }, { position, stream, revision, metadata }, events) =>
      void save.run(name, version, String(position), events, stream, revision, metadata.hash),
  }
}

const lastIn = (row: SqlRow): LastApplied => ({
  stream: String(row.stream),
  revision: BigInt(Number(row.revision)),
  hash: String(row.hash),
  position: BigInt(String(row.position)),
})

const checkpointIn = (row: SqlRow | undefined): Checkpoint => {
  if (row === undefined) return { position: 0n, events: 0, last: null }
  const last = lastIn(row)
  return { position: last.position, events: Number(row.events), last }
}
