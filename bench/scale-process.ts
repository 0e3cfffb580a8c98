import { done } from '@quittance/billing/testing/outcomes'
import { options } from '@quittance/billing/testing/shop'
import { openBenchPlatform, sampleProduct } from './platform.ts'

/**
 * A process of one merchant that runs commands for each of its callers, from a message on for some seconds. Answers how
 * many. Arguments: the data directory, the address of a PostgreSQL ('' for a file of that directory), the command, the number of
 * callers, and the seconds.
 */
const [directory = '', databaseUrl = '', command = '', callers = '', seconds = ''] = process.argv.slice(2)
const inDatabase = { QUITTANCE_DATABASE_URL: databaseUrl, QUITTANCE_MASTER_KEY: 'ab'.repeat(32) }
const { billing, newContext, merchantId, close } = await openBenchPlatform(
  directory,
  databaseUrl === '' ? {} : inDatabase,
)

const works: Readonly<Record<string, () => Promise<unknown>>> = {
  'create a product': () => done(billing.products.create(newContext(), sampleProduct)),
  'create a checkout': () =>
    done(billing.checkouts.createDirect(newContext(), { amount: '12.5', amountCents: null }, 'USDC', options())),
  'list products': () => billing.products.list({ merchantId, environment: 'testnet', limit: 10 })(),
}
const work = works[command]
if (work === undefined) throw new Error(`no command ${command}`)
await work()

const call = async (until: number): Promise<number> => {
  for (let count = 0; ; count += 1) {
    if (performance.now() > until) return count
    await work()
  }
}

process.send?.('ready')
process.once('message', async () => {
  const until = performance.now() + Number(seconds) * 1_000
  const counts = await Promise.all(Array.from({ length: Number(callers) }, () => call(until)))
  process.send?.(counts.reduce((sum, count) => sum + count, 0))
  await close()
  process.disconnect()
})
