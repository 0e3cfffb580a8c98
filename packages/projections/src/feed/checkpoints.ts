import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'

/** What a read model has applied of a log. `last` names the last event, so that another log does not pass for it. */
export type Checkpoint = {
  /** The log's own number for the place; 0n before the first event. */
  readonly position: bigint
  /** How many events that was. */
  readonly events: number
  readonly last: { readonly stream: string; readonly revision: bigint; readonly hash: string } | null
}

type Version = { readonly name: string; readonly version: number }

export type Checkpoints = {
  readonly of: (model: Version) => Checkpoint
  readonly move: (model: Version, before: Checkpoint, applied: ReadonlyArray<RecordedEvent>) => void
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
    move: ({ name, version }, before, applied) => {
      const last = applied.at(-1)
      if (last === undefined) return
      const { position, stream, revision, metadata } = last
      save.run(name, version, String(position), before.events + applied.length, stream, revision, metadata.hash)
    },
  }
}

const checkpointIn = (row: SqlRow | undefined): Checkpoint =>
  row === undefined
    ? { position: 0n, events: 0, last: null }
    : {
        position: BigInt(String(row.position)),
        events: Number(row.events),
        last: { stream: String(row.stream), revision: BigInt(Number(row.revision)), hash: String(row.hash) },
      }
