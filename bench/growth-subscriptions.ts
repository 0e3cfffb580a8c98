import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProcess } from '@quittance/http/testing/child-process'
import { machine } from './comparing/machine.ts'
import { processorMsOf } from './comparing/processor-time.ts'
import { addSubscriptions, sellSubscription } from './growth/idle-subscriptions.ts'
import { memoryResult, type Started } from './growth/results.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const tellMemory = new URL('./growth/tell-memory.ts', import.meta.url).href
/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=4'
const [lookMs, restingMs, longestMs, told] = [2_000, 200, 240_000, 100]

/** Waits until a process takes less than a tenth of a core: it has started, and done what was to do. */
const untilItRests = async (pid: number): Promise<void> => {
  const deadline = performance.now() + longestMs
  for (let before = processorMsOf(pid); performance.now() < deadline; ) {
    await pause(lookMs)
    const now = processorMsOf(pid)
    if (now - before < restingMs) return
    before = now
  }
  throw new Error('the service does not come to rest')
}

/** Starts the service on a data directory, and asks what it holds once it rests. */
const started = async (dataDir: string, subscriptions: number): Promise<Started> => {
  const file = join(dataDir, 'memory.json')
  rmSync(file, { force: true })
  const startedAt = performance.now()
  const service = await startProcess(dataDir, {
    NODE_OPTIONS: `--import ${tellMemory} ${youngGeneration}`,
    BENCH_MEMORY: file,
  })
  const startMs = performance.now() - startedAt
  try {
    await untilItRests(service.facts.pid)
    process.kill(service.facts.pid, 'SIGUSR2')
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause(told)
    return { subscriptions, startMs, ...JSON.parse(readFileSync(file, 'utf8')) }
  } finally {
    await service.stop()
  }
}

/**
 * What a service holds with `--subscriptions` (0,100000,200000,300000) idle ones in its file, once it has started, looked for what is due
 * and come to rest. Some minutes. The figures are kept in `bench/results/growth`.
 */
export const growthSubscriptions: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const options = { subscriptions: { type: 'string' }, json: { type: 'boolean' } } as const
    const { subscriptions = '0,100000,200000,300000' } = parseArgs({ args: [...flags], options }).values
    const dataDir = join(folder, 'data')
    await sellSubscription(dataDir)
    const services: Array<Started> = []
    const report: Record<string, Report[string]> = {}
    let known = 0
    for (const wanted of subscriptions.split(',').map(Number)) {
      await addSubscriptions(dataDir, known, wanted)
      known = wanted
      const service = await started(dataDir, wanted)
      services.push(service)
      report[`resident MiB with ${wanted} subscriptions`] = service.rssBytes / 2 ** 20
      report[`heap MiB with ${wanted} subscriptions`] = service.heapBytes / 2 ** 20
      report[`ms to start with ${wanted} subscriptions`] = service.startMs
      memoryResult.write({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), services })
    }
    return report
  })
