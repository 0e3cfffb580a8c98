import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProcess } from '@quittance/http/testing/child-process'
import { type Load, rateOf, slowestOf } from './load.ts'
import { type Benchmark, median } from './report.ts'
import { loadsOf, memoryOf, withCustomers } from './shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 3
const bareProgram = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

const startBare = async () => {
  const child = spawn(process.execPath, [bareProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  const loads = { 'bare GET': { url }, 'bare POST': { url, body: '{"product_id":"prod_7nQe4Cw0XbDq1yLZs5Tt0u"}' } }
  return { loads, kill: () => child.kill('SIGKILL') }
}

/**
 * The service in its own process beside a bare Fastify, with 32 callers on the same cores. Rounds alternate between all
 * requests after an uncounted one; a rate is the median of its rounds. Writes are durable before the response.
 */
export const http: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const [bare, service] = [await startBare(), await startProcess(join(folder, 'data'))]
    const loads: Readonly<Record<string, Load>> = { ...bare.loads, ...(await loadsOf(service)) }
    const rates = new Map<string, Array<number>>(Object.keys(loads).map((name) => [name, []]))
    for (const load of Object.values(loads)) await rateOf(load)
    for (let round = 0; round < rounds; round++) {
      for (const [name, load] of Object.entries(loads)) rates.get(name)?.push(await rateOf(load))
    }
    const report: Record<string, number> = {}
    const rate = (name: string): number => median(rates.get(name) ?? [])
    for (const [name, load] of Object.entries(loads)) {
      const reference = rate(load.body === undefined ? 'bare GET' : 'bare POST')
      report[`${name}, requests a second`] = rate(name)
      if (!name.startsWith('bare')) report[`${name}, % of bare`] = (100 * rate(name)) / reference
      report[`${name}, p99 at half of that, ms`] = await slowestOf(load, rate(name) / 2)
    }
    bare.kill()
    await service.kill()
    return report
  })

const sizesFlag = '--customers='

/** The numbers of customers, such as `--customers=10000,100000,1000000`. */
const sizes = (): ReadonlyArray<number> => {
  const flag = process.argv.find((each) => each.startsWith(sizesFlag))
  return flag === undefined ? [1_000, 5_000] : flag.slice(sizesFlag.length).split(',').map(Number)
}

/**
 * The same requests to services with growing numbers of customers, created through billing beforehand. A million of
 * them take a free core some ten minutes.
 */
export const httpSizes: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const report: Record<string, number> = {}
    for (const size of sizes()) {
      const at = `at ${size.toLocaleString('en')} customers`
      const dataDir = join(folder, String(size))
      const startedAt = performance.now()
      await withCustomers(dataDir, size)
      report[`created a second, ${at}`] = size / ((performance.now() - startedAt) / 1_000)
      const service = await startProcess(dataDir)
      const loads = Object.entries(await loadsOf(service))
      for (const [, load] of loads) await rateOf(load)
      for (const [name, load] of loads) report[`${name} a second, ${at}`] = await rateOf(load)
      report[`memory in MiB, ${at}`] = memoryOf(service.facts.pid)
      await service.kill()
    }
    return report
  })
