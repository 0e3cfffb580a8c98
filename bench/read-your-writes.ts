import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type EventStore, noEvents } from '@quittance/event-store'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import { postgresReader } from '@quittance/event-store/postgres'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { startPeerProcess } from '@quittance/event-store/testing/peer/process'
import { type Projector, type ReadModels, readModels } from '@quittance/projections'
import { postgresProjector, postgresReading } from '@quittance/projections/postgres'
import { type Benchmark, median, type Report } from './report.ts'
import { saleOf } from './sales.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const script = fileURLToPath(new URL('./read-your-writes-process.ts', import.meta.url))
const sales = 150
const warmUp = 20
const longestMs = 10_000

/** Milliseconds of each sale: its two appends, and from their answer to a list that has it. */
type Times = { readonly append: number; readonly read: number }

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Where sales are written and read; each has a number of its own. */
type Server = { readonly log: EventStore; readonly projector: Projector; readonly models: ReadModels }

const sell = async ({ log, projector, models }: Server, number: number): Promise<Times> => {
  const startedAt = performance.now()
  let end = 0n
  for (const { stream, events } of saleOf(number)) {
    const appended = await log.append(stream, noEvents, events)()
    if (appended._tag === 'Left') throw new Error(appended.left._tag)
    end = appended.right.position
  }
  const answeredAt = performance.now()
  await projector.reached(end, longestMs)
  const paymentId = saleOf(number)
    .find(({ stream }) => stream.startsWith('payment-'))
    ?.stream.slice('payment-'.length)
  const found = paymentId === undefined ? null : await models.payments.withId(paymentId)
  if (found === null) throw new Error('a payment is not in its list')
  return { append: answeredAt - startedAt, read: performance.now() - answeredAt }
}

const report = (name: string, times: ReadonlyArray<Times>): Report => {
  const reads = times.slice(warmUp).map(({ read }) => read)
  return {
    [`${name}: two appends, ms, median`]: median(times.slice(warmUp).map(({ append }) => append)),
    [`${name}: until read, ms, p50`]: percentile(reads, 0.5),
    [`${name}: until read, ms, p99`]: percentile(reads, 0.99),
  }
}

/**
 * How long a server waits until the read models on PostgreSQL show what it has appended to a log on a server: where it projects
 * itself, where another process does, and where both do. One caller. Log (our protocol peer), PostgreSQL and the other
 * server are processes of their own.
 */
export const readYourWrites: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const cluster = await startCluster(['shared_buffers = 128MB'])
    const peer = await startPeerProcess(folder, 0)
    const log = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: 5_000 })
    const { connectionString } = cluster
    let number = 0
    const measured = async (name: string, who: { readonly own: boolean; readonly other: boolean }): Promise<Report> => {
      const schema = cluster.newSchema()
      const other = who.other
        ? spawn(process.execPath, ['--no-warnings', script, peer.connectionString, connectionString, schema])
        : null
      if (other !== null) await once(other.stdout, 'data')
      const projector = await postgresProjector(log, { connectionString, schema })
      if (who.own) await projector.begin()
      const reader = postgresReader({ connectionString, schema })
      const server = { log, projector, models: readModels(postgresReading(reader)) }
      const times: Times[] = []
      for (let n = 0; n < sales; n += 1) times.push(await sell(server, number++))
      await Promise.all([projector.close(), reader.close()])
      if (other !== null) {
        other.kill('SIGKILL')
        await once(other, 'close')
      }
      return report(name, times)
    }
    try {
      return {
        ...(await measured('projects itself', { own: true, other: false })),
        ...(await measured('another projects', { own: false, other: true })),
        ...(await measured('both project', { own: true, other: true })),
      }
    } finally {
      await log.close()
      await peer.kill()
      await cluster.remove()
    }
  })
