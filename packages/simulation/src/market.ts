import { createBilling } from '@quittance/billing'
import { done } from '@quittance/billing/testing/outcomes'
import { walletsOn } from '@quittance/billing/testing/wallets'
import { asText, MerchantId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { buildShop, type Fixture, startOfShop } from './fixture.ts'

/** The wallets that send floods: each sends one transaction in a ledger. */
export const dusterNumbers = [11, 12, 13, 14]

/** Builds a fixture in which another merchant sells beside the first one, and wallets are there to flood that one. */
export const buildMarket = async (): Promise<Fixture> => {
  const { fixture, network, services, newContext } = await buildShop(startOfShop)
  const created = await done(createBilling(services).merchants.create(newContext(), asText('A Neighbour')))
  const merchantId = decoded(MerchantId, created.merchantId)
  const { account } = await done(services.settlementOf(merchantId, 'testnet'))
  for (const number of dusterNumbers) await walletsOn(network).wallet(number)
  return { ...fixture, startMs: network.now(), neighbour: { merchantId, account } }
}
