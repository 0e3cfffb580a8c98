import { join } from 'node:path'
import { done } from '@quittance/billing/testing/outcomes'
import { options } from '@quittance/billing/testing/shop'
import { openBenchPlatform, sampleProduct } from './platform.ts'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 5
const callers = 64
const commandsPerRound = 12_800

/** Runs commands with many callers at once; returns commands per second. */
const measure = async (command: () => Promise<unknown>): Promise<number> => {
  const caller = async (): Promise<void> => {
    for (let n = 0; n < commandsPerRound / callers; n++) await command()
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  return commandsPerRound / ((performance.now() - startedAt) / 1_000)
}

const medianOf = async (run: () => Promise<number>): Promise<number> => {
  await run()
  const results: Array<number> = []
  for (let round = 0; round < rounds; round++) results.push(await run())
  return median(results)
}

/**
 * Whole commands per second through billing, as the service runs them: load the streams, decide, append durably, and
 * write every read model in the same transaction.
 */
export const commands: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const { billing, newContext, close } = await openBenchPlatform(join(folder, 'data'))
    const create = () => done(billing.products.create(newContext(), sampleProduct))
    const checkout = () =>
      done(billing.checkouts.createDirect(newContext(), { amount: '12.5', amountCents: null }, 'USDC', options()))
    const results = {
      'create product, commands a second': await medianOf(() => measure(create)),
      'create direct checkout (2 events), commands a second': await medianOf(() => measure(checkout)),
    }
    await close()
    return results
  })
