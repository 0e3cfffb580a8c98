import { postgresEventStore } from '@quittance/event-store/postgres'

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
    stop: async (): Promise<void> => {
      stop.abort()
      await reading
      await store.close()
    },
  }
}

type Follower = Awaited<ReturnType<typeof startFollower>>
