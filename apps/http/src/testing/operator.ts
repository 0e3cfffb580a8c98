import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { right } from '@quittance/billing/testing/outcomes'
import { ApiKeyId, asText } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { configFrom, openPlatform } from '@quittance/host'
import { listen, openSandbox } from '@quittance/sandbox'
import { eventStoreOf } from './event-store.ts'

/** Nodes of a private mainnet, and the master key, which is required with a mainnet. */
const mainnetSettings = async (dataDir: string) => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const node = await listen(openSandbox({ database, wallClock: Date.now, passphrase: 'A Mainnet For Tests' }))
  const settings = {
    QUITTANCE_MAINNET_RPC_URLS: node.url,
    QUITTANCE_SANDBOX: '1',
    QUITTANCE_MAINNET_PASSPHRASE: 'A Mainnet For Tests',
    QUITTANCE_MASTER_KEY: readFileSync(join(dataDir, 'master.key'), 'utf8').trim(),
  }
  return { settings, close: node.close }
}

/**
 * The operator of a data directory that is being served, as if in another process. `hasMainnet`: with a configured
 * mainnet.
 */
export const openOperator = async (
  dataDir: string,
  { hasMainnet = false, settings = {} }: { hasMainnet?: boolean; settings?: Readonly<Record<string, string>> } = {},
) => {
  const mainnet = hasMainnet ? await mainnetSettings(dataDir) : null
  const environment = {
    QUITTANCE_DATA_DIR: dataDir,
    QUITTANCE_LOG_LEVEL: 'silent',
    ...mainnet?.settings,
    ...(await eventStoreOf(dataDir)),
    ...settings,
  }
  const platform = right(await openPlatform(right(configFrom(environment))))
  const { merchants } = platform.billing
  const context = (network: 'testnet' | 'mainnet' = 'testnet') => {
    const commandId = platform.billing.freshId()
    return {
      environment: network,
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      at: platform.clock.now('testnet'),
    }
  }
  return {
    platform,
    createMerchant: async (name: string) => right(await merchants.create(context(), asText(name))()),
    createKey: async (
      merchantId: string,
      { network = 'testnet', scopes = [] }: { network?: 'testnet' | 'mainnet'; scopes?: ReadonlyArray<string> } = {},
    ) => right(await merchants.createKey({ ...context(network), merchantId }, scopes)()),
    revokeKey: async (merchantId: string, keyId: string) =>
      right(await merchants.revokeKey({ ...context(), merchantId }, right(ApiKeyId.decode(keyId)))()),
    close: async () => {
      await platform.close()
      await mainnet?.close()
    },
  }
}

export type Operator = Awaited<ReturnType<typeof openOperator>>
