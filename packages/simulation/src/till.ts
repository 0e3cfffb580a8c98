import { createBilling } from '@quittance/billing'
import { done, present } from '@quittance/billing/testing/outcomes'
import { walletsOn } from '@quittance/billing/testing/wallets'
import { buildShop, type Fixture, startOfShop } from './fixture.ts'

/** The merchant's own wallets: one holds every asset; one holds only XLM and may be closed. */
export const ownNumbers = { lasting: 5, passing: 6 }

/** Builds a fixture whose merchant has verified two payout addresses. */
export const buildTill = async (): Promise<Fixture> => {
  const { fixture, network, services, newContext } = await buildShop(startOfShop)
  const { merchantId } = fixture
  const onNetwork = walletsOn(network)
  const { destinations } = createBilling(services).payouts
  const own = [await onNetwork.wallet(ownNumbers.lasting), await onNetwork.bareWallet(ownNumbers.passing)]
  const proven: Array<string> = []
  for (const { account: address, sign } of own) {
    const wanted = { address, memo: null, label: null }
    const { id, challenge } = await done(destinations.register({ ...newContext(), merchantId }, wanted))
    await done(destinations.verify({ ...newContext(), merchantId }, id, sign(present(challenge).transaction)))
    proven.push(id)
  }
  return { ...fixture, startMs: network.now(), destinations: proven }
}
