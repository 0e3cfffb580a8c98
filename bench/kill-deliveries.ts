import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFrom } from '@quittance/http/testing/random'
import { startWorker, type WorkerProcess } from '@quittance/worker/testing/worker-process'
import { startFailingReceiver } from './failing-receiver.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import { openWebhookStage } from './webhook-stage.ts'

const eventsOfOne = 5
const failing = 0.3
const mostWaitMs = 20 * 60_000

/** `--events` (10,000) to deliver and `--kills` (20) of workers meanwhile, randomized by `--seed`. */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const options = { events: text, kills: text, seed: text, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...flags], options })
  const wanted = (given: string | undefined, usual: number): number => Number(given ?? usual)
  return {
    events: wanted(values.events, 10_000),
    kills: wanted(values.kills, 20),
    seed: wanted(values.seed, Date.now() % 1_000_000),
  }
}

/** Waits until a worker is ready; false where it ended first. A start may take long under load. */
const isReady = async (worker: WorkerProcess): Promise<boolean> => {
  const ended = worker.ended.then(({ stderr }) => {
    process.stdout.write(stderr)
    return false
  })
  const ready = (): Promise<boolean> =>
    worker.logged('the worker is ready').then(
      () => true,
      () => Promise.race([ended, ready()]),
    )
  return Promise.race([ready(), ended])
}

/** Kills workers by SIGKILL while they deliver; fails if an event is missing, unknown, or out of order. */
export const killDeliveries: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { events, kills, seed } = wantedIn(flags)
    process.stdout.write(`seed ${seed}\n`)
    const random = randomFrom(seed)
    const stage = await openWebhookStage(folder)
    const shop = await startFailingReceiver(random, failing)
    const { secret } = await stage.endpoint(shop.url)
    shop.verifyWith(secret)
    const startedAt = performance.now()
    const settings = {
      QUITTANCE_DATA_DIR: join(folder, 'data'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      NODE_NO_WARNINGS: '1',
    }
    let [killed, workers]: [number, ReadonlyArray<WorkerProcess>] = [0, []]
    let isOver = false
    const keepKilling = async (): Promise<void> => {
      while (!isOver) {
        const worker = startWorker(settings)
        workers = [...workers, worker]
        if (!(await isReady(worker))) continue
        while (!isOver && killed >= kills) await pause(100)
        if (isOver) return worker.kill('SIGKILL')
        killed += 1
        await pause(200 + random() * 3_000)
        worker.kill('SIGKILL')
        await worker.ended
      }
    }
    const killing = Promise.all([keepKilling(), keepKilling()])

    const products = await Promise.all(Array.from({ length: events / eventsOfOne }, () => stage.sell()))
    for (let n = 1; n < eventsOfOne; n++) for (const { id } of products) await stage.rename(id, `The book, ${n}`)
    const published = await stage.published()
    const deadline = AbortSignal.timeout(mostWaitMs)
    while ((shop.arrived.size < published.size || killed < kills) && !deadline.aborted) {
      await pause(1_000)
      // Makes failed deliveries due again.
      await stage.advance(3_600)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    isOver = true
    await killing
    for (const worker of workers) await worker.ended
    await stage.close()
    shop.stop()

    const missing = [...published].filter((id) => !shop.arrived.has(id))
    const unknown = [...shop.arrived.keys()].filter((id) => !published.has(id))
    for (const words of shop.wrong.slice(0, 10)) process.stdout.write(`${words}\n`)
    if (missing.length + unknown.length + shop.wrong.length > 0) process.exitCode = 1
    return {
      seed: String(seed),
      events: published.size,
      'workers killed': killed,
      attempts: shop.counts.attempts,
      'sent again after arrival': shop.counts.again,
      seconds,
      'wrong: missing': missing.length,
      'wrong: unknown events': unknown.length,
      'wrong: order or signature': shop.wrong.length,
    }
  })
