import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections, type Projector } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'

/** How far the read models are in the log. */
export type Progress = {
  /** How many events the log holds. */
  readonly position: number
  /** How many of them the read model lacks that is the furthest behind. */
  readonly lag: number
  readonly models: ReadonlyArray<{ readonly name: string; readonly version: number; readonly lag: number }>
  /** The read model at which all of them stand still, since it threw at the next event; null where none did. */
  readonly defect: string | null
}

/** Null where the log cannot be read. */
export type ReadProgress = () => Promise<Progress | null>

/** Of read models that are written with the log. One that throws refuses the append, and never stands still. */
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

/** Of read models beside the log. */
export const serverProgress =
  ({ progress }: Projector): ReadProgress =>
  async () => {
    const found = await progress()
    if (E.isLeft(found)) return null
    const { events, ...others } = found.right
    return { position: events + others.lag, ...others }
  }
