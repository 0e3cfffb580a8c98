import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { Filter } from '../port.ts'
import type { Connections } from './connection.ts'
import { isPassing } from './failures.ts'
import { type Batch, readBatch, readNext } from './read.ts'
import type { WakeUps } from './wake-ups.ts'

/** Every matching event in (after, end]. Reads the next batch while the reader is busy with one. */
export async function* readUpTo(
  { use }: Connections,
  after: number,
  end: number,
  filter: Filter | undefined,
): AsyncGenerator<RecordedEvent, void> {
  const read = (position: number): Promise<Batch> => use((sql) => readBatch(sql, position, end, filter))
  let next = after < end ? read(after) : null
  while (next !== null) {
    const { events, reached } = await next
    next = reached < end ? read(reached) : null
    // Thrown where it is awaited; the reader may leave before.
    next?.catch(() => undefined)
    yield* events
  }
}

const retryMs = 100

/**
 * Every matching event after a position, then later appends until the signal aborts. Survives a server that restarts.
 * Errors: throws failures that do not pass by themselves.
 */
export async function* follow(
  { use }: Connections,
  wakes: WakeUps,
  after: number,
  signal: AbortSignal,
  filter: Filter | undefined,
): AsyncGenerator<RecordedEvent, void> {
  const read = async (position: number): Promise<Batch | null> => {
    try {
      return await use((sql) => readNext(sql, position, filter))
    } catch (cause) {
      if (signal.aborted) return null
      if (!isPassing(cause)) throw cause
      await pause(retryMs, undefined, { signal }).catch(() => undefined)
      return null
    }
  }
  for (let position = after; !signal.aborted; ) {
    const heard = wakes.heard()
    const batch = await read(position)
    if (batch === null) continue
    for (const event of batch.events) {
      if (signal.aborted) return
      yield event
    }
    if (batch.reached === position) await wakes.sleep(heard, signal)
    position = batch.reached
  }
}
