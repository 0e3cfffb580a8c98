import pg from 'pg'
import { configOf } from './client-config.ts'
import { settingsOf } from './connection.ts'
import type { ConnectionOptions } from './options.ts'

/** How long a reader at the end of the log sleeps at most: while notifications come, and while they do not. */
const longestSleepMs = 1_000
const longestSleepUnheardMs = 100

/** Wakes readers at the end of the log. */
export type WakeUps = {
  /** How many commits were heard of so far. */
  readonly heard: () => number
  /** Resolves at the first commit of any process that is heard of after `since`, at the abort, or when it is time to look. */
  readonly sleep: (since: number, signal: AbortSignal) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Listens for commits of all processes on a connection of its own, from the first sleeper on. A notification is only a
 * hint: readers also look from time to time, so a lost connection delays events and loses none. It is opened again.
 */
export const wakeUps = (options: ConnectionOptions, channel = `${options.schema}_events`): WakeUps => {
  const sleepers = new Set<() => void>()
  let listener: pg.Client | null = null
  let [isHeard, isClosed, heard] = [false, false, 0]

  const wake = (): void => {
    heard += 1
    for (const rouse of [...sleepers]) rouse()
  }

  const lose = (client: pg.Client): void => {
    if (listener !== client) return
    ;[listener, isHeard] = [null, false]
    client.end().catch(() => undefined)
    // Whoever sleeps long looks now, and from then on often.
    wake()
  }

  const listen = (): void => {
    if (listener !== null || isClosed) return
    const client = new pg.Client(configOf(options))
    listener = client
    client.on('notification', wake)
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    const started = client.connect().then(() => client.query(`${settingsOf(options)}; LISTEN ${channel}`))
    started.then(
      () => {
        if (listener !== client) return
        isHeard = true
        // What was committed before the first notification can come.
        wake()
      },
      () => lose(client),
    )
  }

  return {
    heard: () => heard,
    sleep: (since, signal) =>
      new Promise((resolve) => {
        listen()
        const rouse = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', rouse)
          sleepers.delete(rouse)
          resolve()
        }
        const timer = setTimeout(rouse, isHeard ? longestSleepMs : longestSleepUnheardMs)
        signal.addEventListener('abort', rouse)
        sleepers.add(rouse)
        if (signal.aborted || heard !== since) rouse()
      }),
    close: async () => {
      isClosed = true
      const client = listener
      listener = null
      wake()
      await client?.end().catch(() => undefined)
    },
  }
}
