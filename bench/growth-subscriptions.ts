import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProcess } from '@quittance/http/testing/child-process'
import { machine } from './comparing/machine.ts'
import { addSubscriptions, sellSubscription } from './growth/idle-subscriptions.ts'
import { memoryResult, type Started } from './growth/results.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const tellMemory = new URL('./growth/tell-memory.ts', import.meta.url).href
/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=4'
/** It has looked for all that is due by then, and read what is new in the log. Its ledgers go on closing, so it never rests. */
const runningMs = 180_000
const lookMs = 100

/** Starts the service on a data directory, and asks what it holds after some minutes. */
const started = async (dataDir: string, subscriptions: number): Promise<Started> => {
  const file = join(dataDir, 'memory.json')
  rmSync(file, { force: true })
  const service = await startProcess(dataDir, {
    NODE_OPTIONS: `--import ${tellMemory} ${youngGeneration}`,
    BENCH_MEMORY: file,
  })
  try {
    await pause(runningMs)
    process.kill(service.facts.pid, 'SIGUSR2')
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause(lookMs)
    return { subscriptions, ...JSON.parse(readFileSync(file, 'utf8')) }
  } finally {
    await service.stop()
  }
}

/**
 * What a service holds with `--subscriptions` (0,100000,200000,300000) idle ones in its file, three minutes after
 * its start. A quarter of an hour. The figures are kept in `bench/results/growth`.
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
      memoryResult.write({ takenOn: new Date().toISOString().slice(0, 10), machine: machine(), services })
    }
    return report
  })
