import { done, right } from '@quittance/billing/testing/outcomes'
import { book } from '@quittance/billing/testing/shop'
import { asText } from '@quittance/domain'
import { configFrom, openPlatform } from '@quittance/host'
import { contextsFrom } from './contexts.ts'

/** A product of ordinary size. */
export const sampleProduct = { ...book(), description: asText('On ledgers'), metadata: { shelf: 'a3' } }

/** Opens a platform over a data directory, with a merchant and contexts for its commands. `settings` adds variables. */
export const openBenchPlatform = async (dataDir: string, settings: Readonly<Record<string, string>> = {}) => {
  const platform = right(
    await openPlatform(right(configFrom({ QUITTANCE_DATA_DIR: dataDir, QUITTANCE_LOG_LEVEL: 'silent', ...settings }))),
  )
  const contextOf = contextsFrom(() => platform.clock.now('testnet'))
  const { merchantId } = await done(platform.billing.merchants.create(contextOf(), asText('Bench')))
  const newContext = () => ({ ...contextOf(), merchantId, isFirstRun: true as const })
  const anotherMerchant = async () =>
    (await done(platform.billing.merchants.create(contextOf(), asText('Bench')))).merchantId
  return { ...platform, merchantId, anotherMerchant, newContext }
}
