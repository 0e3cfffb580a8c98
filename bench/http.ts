import { join } from 'node:path'
import { startProcess } from '@quittance/http/testing/child-process'
import { rateOf, slowestOf } from './load.ts'
import type { Benchmark } from './report.ts'
import { loadsOf } from './shop.ts'
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
