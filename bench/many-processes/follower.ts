import { postgresEventStore } from '@quittance/event-store/postgres'
import { eventually } from '@quittance/http/testing/eventually'

const reachedWithinMs = 60_000

/** Reads a log by subscription from its beginning, and notes every position that is not the one after the last. */
export const startFollower = async (connectionString: string) => {
  const store = await postgresEventStore({ connectionString, clock: Date.now, projections: [] })
  const stop = new AbortController()
  const wrong: Array<string> = []
  const ids: Array<string> = []
  const reading = (async () => {
    try {
      for await (const { position, id } of store.subscribe(0n, stop.signal)) {
        if (position !== BigInt(ids.length + 1)) wrong.push(`position ${position} came after ${ids.length}`)
        ids.push(id)
      }
    } catch (cause) {
      wrong.push(`the subscription ended: ${cause}`)
    }
  })()
  return {
    wrong,
    /** The ids of the events that it saw, in order. */
    ids,
    /** Waits until it has seen so many events; the verdict tells where it does not. */
    reaches: (events: number): Promise<unknown> =>
      eventually(
        async () => ids.length,
        (seen) => seen >= events,
        reachedWithinMs,
      ).catch(() => undefined),
    stop: async (): Promise<void> => {
      stop.abort()
      await reading
      await store.close()
    },
  }
}
