import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, Report } from './report.ts'
import { memoryOf } from './shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import { openWebhookStage, type Seen, startReceiver } from './webhook-stage.ts'

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const [promptEvents, quickEvents, sharedEvents] = [300, 10_000, 20]
const pendingMs = 150_000

/** The time from a command's answer to the first attempt at an idle endpoint. */
const firstAttempts = (): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const stage = await openWebhookStage(folder)
    let arrivedAt = 0
    let arrived = (): void => undefined
    const server = createServer((request, response) => {
      request.resume()
      arrivedAt = performance.now()
      response.end()
      arrived()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    await stage.endpoint(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}/`)
    const stop = new AbortController()
    const running = stage.deliverer.run(stop.signal, (defect) => console.error(defect))
    await stage.deliverer.settle()
    const waits: Array<number> = []
    for (let n = 0; n < promptEvents; n++) {
      const next = new Promise<void>((resolve) => {
        arrived = resolve
      })
      await stage.sell()
      const committedAt = performance.now()
      await next
      waits.push(arrivedAt - committedAt)
      await pause(5)
    }
    stop.abort()
    await running
    await stage.close()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    return {
      'first attempt after the commit, p50 (ms)': percentile(waits, 0.5),
      'first attempt after the commit, p95 (ms)': percentile(waits, 0.95),
    }
  })

/** Sends pending deliveries to this many endpoints at full speed. */
const throughput = (endpoints: number): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const stage = await openWebhookStage(folder)
    const receiver = await startReceiver()
    for (let n = 0; n < endpoints; n++) await stage.endpoint(`${receiver.url}/ok/${n}`)
    const deliveries = quickEvents
    await stage.sellAll(quickEvents / endpoints)
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    await stage.deliverer.settle()
    const seconds = (performance.now() - startedAt) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    const seen = await receiver.seen()
    await stage.close()
    receiver.stop()
    const arrived = Object.values(seen).reduce((sum, { count }) => sum + count, 0)
    if (arrived !== deliveries) throw new Error(`${arrived} of ${deliveries} deliveries arrived`)
    return {
      [`${endpoints} endpoints: deliveries a second`]: deliveries / seconds,
      [`${endpoints} endpoints: deliveries a second of processor`]: deliveries / ((user + system) / 1e6),
    }
  })

/** A thousand endpoints, a hundred of which never answer. */
const withHanging = (): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const stage = await openWebhookStage(folder)
    const receiver = await startReceiver()
    for (let n = 0; n < 1_000; n++) await stage.endpoint(`${receiver.url}/${n % 10 === 0 ? 'hang' : 'ok'}/${n}`)
    await stage.sellAll(sharedEvents)
    const startedAt = Date.now()
    const stop = new AbortController()
    const running = stage.deliverer.run(stop.signal, (defect) => console.error(defect))
    const whole = (seen: Seen) =>
      Object.entries(seen).filter(([path, { count }]) => path.startsWith('/ok') && count === sharedEvents)
    let seen = await receiver.seen()
    while (whole(seen).length < 900) {
      await pause(100)
      seen = await receiver.seen()
    }
    stop.abort()
    const waits = whole(seen).map(([, { lastAt }]) => lastAt - startedAt)
    await running
    await stage.close()
    receiver.stop()
    return {
      [`900 of 1,000 endpoints, 100 hang, ${sharedEvents} events each: half are complete after (ms)`]: percentile(
        waits,
        0.5,
      ),
      'all of the 900 are complete after (ms)': percentile(waits, 1),
    }
  })

/** A thousand unreachable endpoints, with a thousand events each. */
const pending = (): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const stage = await openWebhookStage(folder)
    for (let n = 0; n < 1_000; n++) await stage.endpoint(`http://127.0.0.1:1/${n}`)
    await stage.sellAll(1_000)
    const stop = new AbortController()
    const running = stage.deliverer.run(stop.signal, (defect) => console.error(defect))
    const before = memoryOf(process.pid)
    let [most, known] = [before, 0]
    const until = performance.now() + pendingMs
    while (performance.now() < until) {
      await pause(1_000)
      most = Math.max(most, memoryOf(process.pid))
      known = stage.pending()
    }
    stop.abort()
    await running
    await stage.close()
    return { pending: known, 'memory before (MiB)': before, 'most memory while they were added (MiB)': most }
  })

/** Delivery over loopback; `--pending` (three minutes) fills the list with a million deliveries instead. */
export const webhooks: Benchmark = async (flags) =>
  flags.includes('--pending')
    ? pending()
    : {
        ...(await firstAttempts()),
        ...(await throughput(1)),
        ...(await throughput(100)),
        ...(await withHanging()),
      }
