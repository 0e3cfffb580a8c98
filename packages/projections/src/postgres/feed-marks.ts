import type { RecordedEvent } from '@quittance/domain'
import type { PostgresProjection, PostgresRow, PostgresSql } from '@quittance/event-store/postgres'
import type { Checkpoint } from '../feed/checkpoints.ts'

type Version = Pick<PostgresProjection, 'name' | 'version'>

/** Somebody who does not hold the lock has moved a checkpoint. */
export class MovedCheckpoint extends Error {
  override readonly name = 'MovedCheckpoint'
  constructor() {
    super('a checkpoint of a read model is not where this transaction has found it')
  }
}

/** A read model, where it stood, and the events behind that which it has applied since. */
export type Move = {
  readonly model: Version
  readonly before: Checkpoint
  readonly events: ReadonlyArray<RecordedEvent>
}

/** Makes the table, and the checkpoints of read models that have none. It belongs into a transaction that is alone. */
export const createMarks = async (sql: PostgresSql, models: ReadonlyArray<Version>): Promise<void> => {
  // Asked first, since even IF NOT EXISTS takes a lock that writers have to wait for.
  const { rows } = await sql.query("SELECT to_regclass('feed_checkpoints') IS NOT NULL AS found")
  if (rows[0]?.found !== true)
    await sql.execute(`CREATE TABLE feed_checkpoints (
      position numeric NOT NULL, events bigint NOT NULL, version bigint NOT NULL, revision bigint,
      name text COLLATE "C" NOT NULL, stream text, hash text, PRIMARY KEY (name, version)
    ) WITH (fillfactor = 50)`)
  await sql.query(
    `INSERT INTO feed_checkpoints (name, version, position, events)
     SELECT name, version, 0, 0 FROM unnest($1::text[], $2::bigint[]) AS a(name, version) ON CONFLICT DO NOTHING`,
    namesOf(models),
  )
}

const namesOf = (models: ReadonlyArray<Version>) =>
  [models.map(({ name }) => name), models.map(({ version }) => version)] as const

// Positions are wider than bigint.
const select = `SELECT m.position::text, m.events, m.stream, m.revision, m.hash
  FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a(name, version, n)
  JOIN feed_checkpoints m USING (name, version) ORDER BY a.n`

/** The checkpoints of read models, in their order. `locked` keeps them where they are until the transaction ends. */
export const readMarks = async (
  { query }: Pick<PostgresSql, 'query'>,
  models: ReadonlyArray<Version>,
  use: 'read' | 'locked' = 'read',
): Promise<ReadonlyArray<Checkpoint>> => {
  const { rows } = await query(use === 'locked' ? `${select} FOR UPDATE OF m` : select, namesOf(models))
  if (rows.length < models.length) throw new Error('a read model has lost its checkpoint')
  return rows.map(markIn)
}

const markIn = ({ position, events, stream, revision, hash }: PostgresRow): Checkpoint => {
  const reached = { position: BigInt(String(position)), events: Number(events) }
  if (stream === null) return { ...reached, last: null }
  const last = { stream: JSON.parse(String(stream)), revision: BigInt(Number(revision)), hash: String(hash) }
  return { ...reached, last: { ...last, position: reached.position } }
}

/** Moves checkpoints from exactly where they stood. Errors: throws `MovedCheckpoint`. */
export const moveMarks = async (sql: PostgresSql, moves: ReadonlyArray<Move>, last: RecordedEvent): Promise<void> => {
  const { changes } = await sql.query(
    `UPDATE feed_checkpoints m SET position = $4::numeric, events = a.events, stream = $6, revision = $7, hash = $8
     FROM unnest($1::text[], $2::bigint[], $3::numeric[], $5::bigint[]) AS a(name, version, stood, events)
     WHERE m.name = a.name AND m.version = a.version AND m.position = a.stood`,
    [
      ...namesOf(moves.map(({ model }) => model)),
      moves.map(({ before }) => String(before.position)),
      String(last.position),
      moves.map(({ before, events }) => before.events + events.length),
      // As JSON, since PostgreSQL's text holds no NUL.
      JSON.stringify(last.stream),
      last.revision,
      last.metadata.hash,
    ],
  )
  if (changes < moves.length) throw new MovedCheckpoint()
}
