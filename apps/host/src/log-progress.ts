import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import type { Projector } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'

/** How many events the log holds, and how many of them the read models lack; null when it cannot be read. */
export type ReadProgress = () => Promise<{ readonly position: number; readonly lag: number } | null>

/** Of read models that are written with the log. */
export const embeddedProgress =
  ({ logHead, reader }: SqliteEventStore): ReadProgress =>
  async () => {
    try {
      const { position } = logHead()
      const row = reader.prepare('SELECT min(position) AS projected FROM inline_projections').get()
      return { position, lag: position - Number(row?.projected ?? 0) }
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
    const { events, lag } = found.right
    return { position: events + lag, lag }
  }
