import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, Filter } from '../../port.ts'
import { eventStoreDb } from '../store.ts'

/** Somebody who follows the log from its start until the signal aborts. */
export type Follower = {
  readonly filter: Filter | undefined
  readonly seen: ReadonlyArray<RecordedEvent>
  readonly ended: Promise<void>
}

/** One that leaves it to the store to go on after a drop. */
export const startFollower = (store: EventStore, signal: AbortSignal, filter?: Filter): Follower => {
  const seen: RecordedEvent[] = []
  const follow = async (): Promise<void> => {
    for await (const event of store.subscribe(0n, signal, filter)) seen.push(event)
  }
  return { filter, seen, ended: follow() }
}

/** One that is lost with each drop, store and all, and starts anew from the checkpoint that it kept as text. */
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
