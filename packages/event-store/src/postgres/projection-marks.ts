import type { PostgresProjection } from './projection.ts'
import { integer } from './rows.ts'
import type { PostgresSql } from './sql.ts'

const namesOf = (projections: ReadonlyArray<PostgresProjection>) =>
  [projections.map(({ name }) => name), projections.map(({ version }) => version)] as const

/** The positions of projections, in their order. */
export const readMarks = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<ReadonlyArray<number>> => {
  const { rows } = await sql.query(
    `SELECT p.position FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a(name, version, n)
     LEFT JOIN inline_projections p USING (name, version) ORDER BY a.n`,
    namesOf(projections),
  )
  return rows.map((row) => integer(row, 'position'))
}

/** Whether all projections have their marks, and tables with them. */
export const haveMarks = async (sql: PostgresSql, projections: ReadonlyArray<PostgresProjection>): Promise<boolean> => {
  const { rows } = await sql.query(
    `SELECT count(*) AS found FROM unnest($1::text[], $2::bigint[]) AS a(name, version)
     JOIN inline_projections p USING (name, version)`,
    namesOf(projections),
  )
  return integer(rows[0], 'found') === projections.length
}

/** Whether all projections stand at the log's end. */
export const areAtEnd = async (sql: PostgresSql, projections: ReadonlyArray<PostgresProjection>): Promise<boolean> => {
  const { rows } = await sql.query(
    `SELECT count(*) AS found FROM unnest($1::text[], $2::bigint[]) AS a(name, version)
     JOIN inline_projections p USING (name, version)
     WHERE p.position = coalesce((SELECT max(position) FROM events), 0)`,
    namesOf(projections),
  )
  return integer(rows[0], 'found') === projections.length
}

export const moveMarks = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
  position: number,
): Promise<void> => {
  await sql.query(
    `UPDATE inline_projections p SET position = $3 FROM unnest($1::text[], $2::bigint[]) AS a(name, version)
     WHERE p.name = a.name AND p.version = a.version`,
    [...namesOf(projections), position],
  )
}

/** Locks the marks of projections, as an append does, and answers their positions. */
export const lockMarks = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<ReadonlyArray<number>> => {
  const { rows } = await sql.query(
    `SELECT p.position FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a(name, version, n)
     JOIN inline_projections p USING (name, version) ORDER BY a.n FOR UPDATE OF p`,
    namesOf(projections),
  )
  return rows.map((row) => integer(row, 'position'))
}

/** Locks the mark of one projection, and answers its position. */
export const lockMark = async (sql: PostgresSql, { name, version }: PostgresProjection): Promise<number> => {
  const { rows } = await sql.query(
    'SELECT position FROM inline_projections WHERE name = $1 AND version = $2 FOR UPDATE',
    [name, version],
  )
  return integer(rows[0], 'position')
}

/**
 * Locks the marks of those projections that stand at a position, and answers the projections. Leaves out the ones that
 * another process has locked: to wait for them with a lock in hand could end in a deadlock.
 */
export const lockMarksAt = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
  position: number,
): Promise<ReadonlyArray<PostgresProjection>> => {
  const { rows } = await sql.query(
    `SELECT a.n FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a(name, version, n)
     JOIN inline_projections p USING (name, version) WHERE p.position = $3 FOR UPDATE OF p SKIP LOCKED`,
    [...namesOf(projections), position],
  )
  const locked = new Set(rows.map((row) => integer(row, 'n')))
  return projections.filter((_, index) => locked.has(index + 1))
}

/** The projections that lack events. */
export const findBehind = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<ReadonlyArray<PostgresProjection>> => {
  const { rows } = await sql.query(
    `SELECT a.n FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a(name, version, n)
     JOIN inline_projections p USING (name, version)
     WHERE p.position < (SELECT coalesce(max(position), 0) FROM events)`,
    namesOf(projections),
  )
  const found = new Set(rows.map((row) => integer(row, 'n')))
  return projections.filter((_, index) => found.has(index + 1))
}
