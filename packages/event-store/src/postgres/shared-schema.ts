import { connections } from './connection.ts'
import { connectionOptionsOf, type PostgresLogOptions } from './options.ts'
import { createSchemaAlone } from './schema.ts'
import type { PostgresSql } from './sql.ts'
import { type WakeUps, wakeUps } from './wake-ups.ts'

/** A schema whose tables several processes write, and the wake-ups of those that wait for the others. */
export type PostgresSchema = Pick<PostgresSql, 'query'> &
  Pick<WakeUps, 'heard' | 'sleep'> & {
    /**
     * Runs work in a transaction, and undoes it if it throws. After `soon` the server answers before its disk has the
     * commit: a crash may undo the last of these, never one without those after it.
     */
    readonly transaction: <A>(durability: 'full' | 'soon', work: (sql: PostgresSql) => Promise<A>) => Promise<A>
    /** A statement of a transaction that wakes all sleepers once it is committed. */
    readonly wakeAll: string
    readonly close: () => Promise<void>
  }

/** How a schema is opened. */
export type PostgresSchemaOptions = PostgresLogOptions & {
  /** Those that sleep and those that wake them name the same subject: lower-case letters and `_`. */
  readonly subject: string
  /** The most connections at once, besides the one that listens. */
  readonly connections: number
}

/**
 * Opens a schema, made if missing.
 * Errors: rejects with `RangeError` for a schema's name, and `PostgresError`, as every statement does; a transaction also
 * rejects with what its work throws.
 */
export const openPostgresSchema = async (options: PostgresSchemaOptions): Promise<PostgresSchema> => {
  const within = connectionOptionsOf(options)
  const channel = `${within.schema}_${options.subject}`
  const pool = connections(within, options.connections)
  const wakes = wakeUps(within, channel)
  const close = async (): Promise<void> => {
    await wakes.close()
    await pool.close()
  }
  try {
    await createSchemaAlone(pool, within.schema)
  } catch (cause) {
    await close()
    throw cause
  }
  return {
    query: (text, values) => pool.use((sql) => sql.query(text, values)),
    transaction: (durability, work) =>
      pool.use(async (sql) => {
        const begun = sql.execute(durability === 'soon' ? 'BEGIN; SET LOCAL synchronous_commit = off' : 'BEGIN')
        // The first statements are sent without awaiting it.
        begun.catch(() => undefined)
        const result = await work(sql)
        await begun
        if (await sql.commit()) return result
        throw new Error('the server rolled back, since the work went on after a failed statement')
      }),
    wakeAll: `SELECT pg_notify('${channel}', '')`,
    heard: wakes.heard,
    sleep: wakes.sleep,
    close,
  }
}
