import { rowsOf, type Sql } from '@quittance/event-store'
import type { PostgresEventStore } from '@quittance/event-store/postgres'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections, type Projector } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'

/** How far the read models have applied the log. */
export type Progress = {
  /** How many events the log holds. */
  readonly position: number
  /** How many events the read model lacks that is furthest behind. */
  readonly lag: number
  readonly models: ReadonlyArray<{ readonly name: string; readonly version: number; readonly lag: number }>
  /** The read model that threw at the next event, which stops all of them; null when none did. */
  readonly defect: string | null
}

/** Null where the log cannot be read. */
export type ReadProgress = () => Promise<Progress | null>

/**
 * The progress of read models that are written with the log. One that throws refuses the append, so it never stops the
 * others.
 */
export const embeddedProgress =
  ({ logHead, reader }: SqliteEventStore): ReadProgress =>
  async () => {
    try {
      const { position } = logHead()
      const applied = reader.prepare('SELECT position FROM inline_projections WHERE name = ? AND version = ?')
      const models = inlineProjections.map(({ name, version }) => ({
        name,
        version,
        lag: position - Number(applied.get(name, version)?.position ?? 0),
      }))
      return { position, lag: Math.max(...models.map(({ lag }) => lag)), models, defect: null }
    } catch {
      return null
    }
  }

const marks = rowsOf('SELECT name, version, position FROM inline_projections')

/** As `embeddedProgress`, in a database that many processes share. */
export const databaseProgress =
  ({ logHead }: Pick<PostgresEventStore, 'logHead'>, { run }: Sql): ReadProgress =>
  async () => {
    const head = await logHead()
    if (E.isLeft(head)) return null
    const { position } = head.right
    try {
      const found = await run(marks)
      const models = inlineProjections.map(({ name, version }) => {
        const mark = found.find((each) => each.name === name && each.version === version)
        return { name, version, lag: Math.max(0, position - Number(mark?.position ?? 0)) }
      })
      return { position, lag: Math.max(...models.map(({ lag }) => lag)), models, defect: null }
    } catch {
      return null
    }
  }

/** The progress of read models beside a remote log. */
export const serverProgress =
  ({ progress }: Projector): ReadProgress =>
  async () => {
    const found = await progress()
    if (E.isLeft(found)) return null
    const { events, ...others } = found.right
    return { position: events + others.lag, ...others }
  }
