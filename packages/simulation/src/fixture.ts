import { createBilling } from '@quittance/billing'
import { type AccountId, asText, MerchantId, ProductId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { done } from '../../billing/src/testing/outcomes.ts'
import { book } from '../../billing/src/testing/shop.ts'
import { walletsOn } from '../../billing/src/testing/wallets.ts'
import { connectionsTo } from './connections.ts'
import { openNetwork } from './network.ts'
import { emptyVaultFile } from './open-vault.ts'
import { idsFrom, openServices } from './services.ts'

/** 2026-11-01T00:00:00Z. */
const startMs = 1_793_491_200_000

const codes = ['USDC', 'XLM', 'EURC'] as const
export type Code = (typeof codes)[number]

/** What every run begins with: a merchant with a book for 1 USD in each asset, and two wallets that hold of each. */
export type Fixture = {
  readonly log: SqlDatabase
  readonly ledger: SqlDatabase
  readonly startMs: number
  readonly merchantId: MerchantId
  readonly account: AccountId
  readonly products: ReadonlyArray<{ readonly id: string; readonly code: Code }>
}

export const walletNumbers = [1, 2]

export const buildFixture = async (): Promise<Fixture> => {
  const [log, ledger] = [1, 2].map(() => openDatabase(':memory:', { durability: 'full' }))
  if (log === undefined || ledger === undefined) throw new Error('unreachable')
  const network = openNetwork(ledger, startMs)
  for (const number of walletNumbers) await walletsOn(network).wallet(number)
  const services = openServices(connectionsTo(log)(), network, emptyVaultFile(), idsFrom(0))
  const billing = createBilling(services)
  const context = () => {
    const commandId = services.freshId()
    const rest = { correlationId: commandId, causationId: null, actor: 'fixture', at: network.now() }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const created = await done(billing.merchants.create(context(), asText('A Shop')))
  const merchantId = decoded(MerchantId, created.merchantId)
  const assetIds = { USDC: network.usdc.assetId, XLM: network.xlm.assetId, EURC: network.eurc.assetId }
  const products: Array<{ readonly id: string; readonly code: Code }> = []
  for (const code of codes) {
    const cheap = { ...book(assetIds[code]), price: { amount: '1', amountCents: null } }
    const { id } = await done(billing.products.create({ ...context(), merchantId }, cheap))
    products.push({ id: decoded(ProductId, id), code })
  }
  const { account } = await done(services.settlementOf(merchantId, 'testnet'))
  network.wait(1000)
  return { log, ledger, startMs: network.now(), merchantId, account, products }
}
