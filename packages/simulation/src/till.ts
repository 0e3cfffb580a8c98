import { done, present } from '@quittance/billing/testing/outcomes'
import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import { buildShop, type Fixture, type Shop, startOfShop } from './fixture.ts'

/** The merchant's own wallets: one holds every asset; one holds only XLM and may be closed. */
export const ownNumbers = { lasting: 5, passing: 6 }

/** An address that the merchant has verified. */
export const provenDestination = async (
  { fixture: { merchantId }, billing, newContext }: Pick<Shop, 'fixture' | 'billing' | 'newContext'>,
  { account: address, sign }: Wallet,
): Promise<string> => {
  const { destinations } = billing.payouts
  const wanted = { address, memo: null, label: null }
  const { id, challenge } = await done(destinations.register({ ...newContext(), merchantId }, wanted))
  await done(destinations.verify({ ...newContext(), merchantId }, id, sign(present(challenge).transaction)))
  return id
}

/** Builds a fixture whose merchant has verified two payout addresses. */
export const buildTill = async (): Promise<Fixture> => {
  const { fixture, network, billing, newContext } = await buildShop(startOfShop)
  const onNetwork = walletsOn(network)
  const own = [await onNetwork.wallet(ownNumbers.lasting), await onNetwork.bareWallet(ownNumbers.passing)]
  const destinations: Array<string> = []
  for (const wallet of own) destinations.push(await provenDestination({ fixture, billing, newContext }, wallet))
  return { ...fixture, startMs: network.now(), destinations }
}
