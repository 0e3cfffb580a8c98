import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { readLog, sampleEvent } from '../../conformance/sample.ts'
import { eventStoreDb } from '../../eventstoredb/store.ts'
import type { EventStore, Head } from '../../port.ts'
import { intoPostgres } from '../../postgres/into-postgres.ts'
import { postgresEventStore } from '../../postgres/store.ts'
import { sqliteEventStore } from '../../sqlite/store.ts'
import { eventsPerTurn } from '../../testing/events-per-turn.ts'
import { startPeer } from '../../testing/peer/peer.ts'
import { compareLogs } from '../compare-logs.ts'
import { type Copied, copyLog } from '../copy-log.ts'
import { intoServer } from '../into-server.ts'
import { intoSqlite } from '../into-sqlite.ts'
import { proveCopy } from '../prove-copy.ts'
import { readBack } from '../read-back.ts'
import type { CopyTarget } from '../target.ts'

/** A log's address: a file's path, a server's connection string, or that of a database with `#` and the schema. */
export type LogAddress = string

export const isServer = (address: LogAddress): boolean => address.startsWith('esdb:')
const isDatabase = (address: LogAddress): boolean => address.startsWith('postgres:')

export const inSchema = (connectionString: string, schema: string): LogAddress => `${connectionString}#${schema}`
export const schemaOf = (address: LogAddress): { readonly connectionString: string; readonly schema: string } => {
  const [connectionString = '', schema = ''] = address.split('#')
  return { connectionString, schema }
}

type Open<A> = { readonly log: A; readonly close: () => void | Promise<void> }

const server = (connectionString: string) => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000 })

/** Opens a log for appends; each event is recorded at a different time. */
export const openStore = async (address: LogAddress): Promise<Open<EventStore>> => {
  let time = 1_790_000_000_000
  const clock = (): number => (time += 7)
  if (isDatabase(address)) {
    const store = await postgresEventStore({ ...schemaOf(address), clock, projections: [] })
    return { log: store, close: store.close }
  }
  const store = isServer(address) ? server(address) : sqliteEventStore({ path: address, clock, projections: [] })
  return { log: store, close: store.close }
}

export const openTarget = async (address: LogAddress): Promise<Open<CopyTarget>> => {
  if (isDatabase(address)) {
    const target = await intoPostgres(schemaOf(address))
    return { log: target, close: target.close }
  }
  if (!isServer(address)) {
    const target = intoSqlite(address)
    return { log: target, close: target.close }
  }
  const store = server(address)
  return { log: intoServer(store), close: store.close }
}

/** Creates empty logs of either kind; `clear` removes them. */
export const logs = () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-copy-'))
  const peers: Array<Awaited<ReturnType<typeof startPeer>>> = []
  let count = 0
  return {
    file: async (): Promise<LogAddress> => join(folder, `${++count}.db`),
    server: async (): Promise<LogAddress> => {
      const peer = await startPeer({ path: ':memory:', port: 0 })
      peers.push(peer)
      return peer.connectionString
    },
    peer: (address: LogAddress) => peers.find(({ connectionString }) => connectionString === address),
    clear: async () => {
      for (const peer of peers) await peer.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes appends to alternating streams, of `size` to `size` + 2 events each, numbered from `from`. */
export const fill = async (address: LogAddress, appends: number, from = 0, size = 1): Promise<void> => {
  const { log, close } = await openStore(address)
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

type Content = Omit<RecordedEvent, 'position' | 'recordedAt'> & { readonly recordedAt?: number }

/** The content that a copy shares with its source, with recorded times where both keep them. */
export const content = async (address: LogAddress, isTimed: boolean): Promise<ReadonlyArray<Content>> => {
  const { log, close } = await openStore(address)
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

/** How many events both logs hold, and how many of them the copy wrote. */
export const counts = ({ events, copied }: Copied) => ({ events, copied })

/** Copies what one address holds to another. */
export const copy = async (from: LogAddress, to: LogAddress) => {
  const [source, target] = [await openStore(from), await openTarget(to)]
  const told: Array<number> = []
  const outcome = await copyLog({ source: source.log, target: target.log, onProgress: (n) => told.push(n) })()
  await target.close()
  await source.close()
  return { outcome: E.map(counts)(outcome), told }
}

/** A log that counts the events that are read of it. */
const countedReads = ({ readAll }: Pick<EventStore, 'readAll'>, count: () => void): Pick<EventStore, 'readAll'> => ({
  readAll: async function* (after) {
    for await (const event of readAll(after)) {
      count()
      yield event
    }
  },
})

/** Compares a copy with its source. */
export const compare = async (from: LogAddress, to: LogAddress, events: number) => {
  const [source, target] = [await openStore(from), await openStore(to)]
  const turns = eventsPerTurn()
  const outcome = await compareLogs({
    source: countedReads(source.log, turns.count),
    target: target.log,
    events,
    onProgress: () => {},
  })()
  await target.close()
  await source.close()
  return { outcome, mostPerTurn: turns.most() }
}

/** The growth of a log that is complete. */
export async function* complete(): AsyncGenerator<void> {}

/** Copies what one address holds to another, lets something happen to both, and proves the copy. */
export const prove = async (from: LogAddress, to: LogAddress, meanwhile: () => void | Promise<void> = () => {}) => {
  const [source, target] = [await openStore(from), await openTarget(to)]
  const copied = right(await copyLog({ source: source.log, target: target.log, onProgress: () => {} })())
  await meanwhile()
  const reads = { source: 0, target: 0 }
  const turns = eventsPerTurn()
  const visited: Array<RecordedEvent> = []
  const counted = {
    source: countedReads(source.log, () => {
      reads.source += 1
    }),
    target: countedReads(target.log, () => {
      reads.target += 1
      turns.count()
    }),
  }
  const visit = (event: RecordedEvent) => void visited.push(event)
  const read = right(await readBack({ target: counted.target, growth: complete(), visit, onProgress: () => {} })())
  const outcome = await proveCopy({ ...counted, copied, read, onProgress: () => {} })()
  await target.close()
  await source.close()
  return { outcome, reads, visited, mostPerTurn: turns.most() }
}
