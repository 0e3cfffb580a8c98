import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { isChanged, query } from './sql/query.ts'

/** The latest checkpoint of the log, as all processes of a database know it. */
export interface LatestCheckpoint {
  /** A signed note; null before there is one. */
  readonly note: () => Promise<string | null>
  /** Replaces it if it is still this one; false if another process was first. */
  readonly replace: (from: string | null, to: string) => Promise<boolean>
}

export const latestCheckpointTable = `CREATE TABLE IF NOT EXISTS log_checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1), note TEXT NOT NULL
) STRICT`

const find = query(t.strict({ note: t.string }), 'SELECT note FROM log_checkpoint')
const first = isChanged('INSERT INTO log_checkpoint (one, note) VALUES (1, ?) ON CONFLICT DO NOTHING')
const move = isChanged('UPDATE log_checkpoint SET note = ? WHERE note = ?')

export const latestCheckpoint = ({ run }: Sql): LatestCheckpoint => ({
  note: async () => (await run(find.one()))?.note ?? null,
  replace: (from, to) => run(from === null ? first(to) : move(to, from)),
})
