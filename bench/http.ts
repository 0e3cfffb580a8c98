import { join } from 'node:path'
import { startProcess } from '@quittance/http/testing/child-process'
import { rateOf, slowestOf } from './load.ts'
import type { Benchmark } from './report.ts'
import { loadsOf, memoryOf, withCustomers } from './shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

/**
 * What the requests of 32 callers take at half of the rate that the service reaches with them, on the same cores. The
 * comparisons `access`, `payment`, `customer` and `checkout` have the rates beside a bare Fastify. Writes are durable before the
 * response.
 */
export const http: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const service = await startProcess(join(folder, 'data'))
    const report: Record<string, number> = {}
    for (const [name, load] of Object.entries(await loadsOf(service))) {
      await rateOf(load)
      const rate = await rateOf(load)
      report[`${name}, requests a second`] = rate
      report[`${name}, p99 at half of that, ms`] = await slowestOf(load, rate / 2)
    }
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
