import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import { readLog, right, sampleEvent } from '../../conformance/sample.ts'
import { eventStoreDb } from '../../eventstoredb/store.ts'
import type { EventStore, Head } from '../../port.ts'
import { sqliteEventStore } from '../../sqlite/store.ts'
import { startPeer } from '../../testing/peer/peer.ts'
import { compareLogs } from '../compare-logs.ts'
import { copyLog } from '../copy-log.ts'
import { intoSqlite } from '../into-sqlite.ts'
import { intoStore } from '../into-store.ts'
import type { CopyTarget } from '../target.ts'

/** A log that a test copies from or into: a file's path, or a server's connection string. */
export type Place = string

export const isServer = (place: Place): boolean => place.startsWith('esdb:')

type Open<A> = { readonly log: A; readonly close: () => void | Promise<void> }

const server = (connectionString: string) => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000 })

/** Opens a log to write to it as an application does; each event is recorded at a time of its own. */
export const openStore = (place: Place): Open<EventStore> => {
  let time = 1_790_000_000_000
  const clock = (): number => (time += 7)
  const store = isServer(place) ? server(place) : sqliteEventStore({ path: place, clock, projections: [] })
  return { log: store, close: store.close }
}

export const openTarget = (place: Place): Open<CopyTarget> => {
  if (!isServer(place)) {
    const target = intoSqlite(place)
    return { log: target, close: target.close }
  }
  const store = server(place)
  return { log: intoStore(store), close: store.close }
}

/** Logs of either kind, each empty; gone with `clear`. */
export const places = () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-copy-'))
  const peers: Array<Awaited<ReturnType<typeof startPeer>>> = []
  let count = 0
  return {
    file: async (): Promise<Place> => join(folder, `${++count}.db`),
    server: async (): Promise<Place> => {
      const peer = await startPeer({ path: ':memory:', port: 0 })
      peers.push(peer)
      return peer.connectionString
    },
    peer: (place: Place) => peers.find(({ connectionString }) => connectionString === place),
    clear: async () => {
      for (const peer of peers) await peer.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes so many appends to streams that take turns, of `size` events and up to two more each, numbered from `from`. */
export const fill = async (place: Place, appends: number, from = 0, size = 1): Promise<void> => {
  const { log, close } = openStore(place)
  const heads = new Map<string, Head>()
  for (let n = from; n < from + appends; n += 1) {
    const stream = `sample-${(n * n) % 7}`
    const head = heads.get(stream) ?? right(await log.readStream(stream)()).head
    const events = Array.from({ length: size + (n % 3) }, (_, m) =>
      sampleEvent(`${n}-${m}`, { note: 'ü'.repeat(n % 5), 7: [{ b: null, a: n }] }),
    )
    heads.set(stream, right(await log.append(stream, head, events)()).head)
  }
  await close()
}

/** What two logs have in common when one was copied from the other; with the time of recording where both keep it. */
export const content = async (place: Place, isTimed: boolean): Promise<ReadonlyArray<unknown>> => {
  const { log, close } = openStore(place)
  const events = await readLog(log)
  await close()
  return events.map(({ position: _, recordedAt, ...event }: RecordedEvent) =>
    isTimed ? { ...event, recordedAt } : event,
  )
}

export const directions = [
  ['file', 'server'],
  ['server', 'file'],
  ['file', 'file'],
  ['server', 'server'],
] as const

/** Copies what one place holds to another. */
export const copy = async (from: Place, to: Place) => {
  const [source, target] = [openStore(from), openTarget(to)]
  const told: Array<number> = []
  const outcome = await copyLog({ source: source.log, target: target.log, onProgress: (n) => told.push(n) })()
  await target.close()
  await source.close()
  return { outcome, told }
}

/** Compares a copy with its source. */
export const compare = async (from: Place, to: Place, events: number) => {
  const [source, target] = [openStore(from), openStore(to)]
  const visited = { source: 0, target: 0 }
  const outcome = await compareLogs({
    source: source.log,
    target: target.log,
    events,
    visit: (log) => {
      visited[log] += 1
    },
    onProgress: () => {},
  })()
  await target.close()
  await source.close()
  return { outcome, visited }
}
