import { ApiKeyId, asText } from '@quittance/domain'
import { configFrom, openPlatform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { eventStoreOf } from './event-store.ts'

const rightOf = <A>(either: E.Either<unknown, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

/** What an operator does to a data directory while it is being served, from a process of its own. */
export const openOperator = async (dataDir: string) => {
  const environment = { QUITTANCE_DATA_DIR: dataDir, QUITTANCE_LOG_LEVEL: 'silent', ...(await eventStoreOf(dataDir)) }
  const platform = rightOf(await openPlatform(rightOf(configFrom(environment)), () => {}))
  const { merchants } = platform.billing
  const context = (network: 'testnet' | 'mainnet' = 'testnet') => {
    const commandId = platform.billing.freshId()
    return {
      environment: network,
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      at: platform.clock.now(),
    }
  }
  return {
    platform,
    createMerchant: async (name: string) => rightOf(await merchants.create(context(), asText(name))()),
    createKey: async (
      merchantId: string,
      { network = 'testnet', scopes = [] }: { network?: 'testnet' | 'mainnet'; scopes?: ReadonlyArray<string> } = {},
    ) => rightOf(await merchants.createKey({ ...context(network), merchantId }, scopes)()),
    revokeKey: async (merchantId: string, keyId: string) =>
      rightOf(await merchants.revokeKey({ ...context(), merchantId }, rightOf(ApiKeyId.decode(keyId)))()),
    close: platform.close,
  }
}

export type Operator = Awaited<ReturnType<typeof openOperator>>
