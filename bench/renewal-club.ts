import { createWorker } from '@quittance/billing'
import { operatorAccount, settlementKey } from '@quittance/billing/testing/internals'
import { done, right } from '@quittance/billing/testing/outcomes'
import { book } from '@quittance/billing/testing/shop'
import { asText, ProductId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { openNetwork } from './metered-network.ts'
import type { openMeteredServices } from './metered-services.ts'
import type { Club } from './renewal-subscribers.ts'

type MeteredServices = ReturnType<typeof openMeteredServices>

/** The worker's steps, on command. */
export const steppingOn = (services: MeteredServices['services']): (() => Promise<void>) => {
  const worker = createWorker(services, 'testnet', (halted) => {
    throw new Error(JSON.stringify(halted))
  })
  return async () => right((await worker?.step()) ?? E.left('there is no worker'))
}

/** A merchant with a product, whose operator, settlement account and `channels` are on the ledger. */
export const foundClub = async (
  { sandbox, usdc, network: { mandateContract } }: ReturnType<typeof openNetwork>,
  { services, vault, billing, newContext }: MeteredServices,
  channels: number,
): Promise<Omit<Club, 'startedAt'>> => {
  const { merchantId } = await done(billing.merchants.create(newContext(), asText('A club')))
  const { account: payee } = await done(billing.settlement(merchantId, 'testnet'))
  // The service provisions no accounts itself, so that there are exactly as many channels as this creates.
  const made = await done(billing.channels.create('testnet', channels))
  await done(billing.operator.create('testnet'))
  const own = await operatorAccount(services, 'testnet')
  if (own === null || mandateContract === null) throw new Error('the network has no operator')
  for (const key of [own.key, settlementKey('testnet', merchantId)])
    await done(sandbox.provision((await vault.carriage.withSeed(key, keyPairFromSeed)).secret))
  for (const { account } of made) await done(sandbox.fund({ address: account }))
  const product = await done(billing.products.create({ ...newContext(), merchantId }, book(usdc)))
  return {
    ...{ merchantId, productId: decoded(ProductId, product.id), contract: mandateContract },
    ...{ payee, operator: own.account, assetId: usdc },
  }
}
