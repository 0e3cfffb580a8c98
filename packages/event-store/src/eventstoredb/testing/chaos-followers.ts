import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, Filter } from '../../port.ts'
import { eventStoreDb } from '../store.ts'

/** A subscriber of the log from its start until the signal aborts. */
export type Follower = {
  readonly filter: Filter | undefined
  readonly seen: ReadonlyArray<RecordedEvent>
  readonly ended: Promise<void>
}

/** A subscriber that relies on the store to resume after a drop. */
export const startFollower = (store: EventStore, signal: AbortSignal, filter?: Filter): Follower => {
  const seen: RecordedEvent[] = []
  const follow = async (): Promise<void> => {
    for await (const event of store.subscribe(0n, signal, filter)) seen.push(event)
  }
  return { filter, seen, ended: follow() }
}

/** A subscriber that dies with its store at each drop and restarts from its checkpoint, kept as text. */
export const startRestartingFollower = (
  connectionString: string,
  signal: AbortSignal,
): Follower & { readonly drop: () => void } => {
  const seen: RecordedEvent[] = []
  let checkpoint = '0'
  let life = new AbortController()
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      life = new AbortController()
      const store = eventStoreDb({
        connectionString: `${connectionString}&connectionName=restarting`,
        clock: Date.now,
        deadlineMs: 5_000,
      })
      for await (const event of store.subscribe(BigInt(checkpoint), AbortSignal.any([signal, life.signal]))) {
        seen.push(event)
        checkpoint = String(event.position)
      }
      await store.close()
    }
  }
  return { filter: undefined, seen, ended: follow(), drop: () => life.abort() }
}
