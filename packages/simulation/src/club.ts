import { createWorker } from '@quittance/billing'
import { asText, count } from '@quittance/domain'
import { done, present } from '../../billing/src/testing/outcomes.ts'
import { book, options } from '../../billing/src/testing/shop.ts'
import { walletsOn } from '../../billing/src/testing/wallets.ts'
import { buildShop, type Fixture, walletNumbers } from './fixture.ts'

/** 2027-01-30T12:00:00Z: what begins then, and what is tried for a day, are months whose length differs. */
const startMs = 1_801_310_400_000

const plansSold = [
  { recurringPeriod: 'month', trialDays: 0 },
  { recurringPeriod: 'month', trialDays: 1 },
  { recurringPeriod: 'week', trialDays: 0 },
  { recurringPeriod: 'day', trialDays: 2 },
] as const

/** As `buildFixture`, of a merchant who sells plans as well; of each there is a subscription, with and without a trial. */
export const buildClub = async (): Promise<Fixture> => {
  const { fixture, network, services, billing, newContext } = await buildShop(startMs)
  const { merchantId } = fixture
  const worker = present(createWorker(services, 'testnet', () => undefined))
  const onNetwork = walletsOn(network)
  const plans: Array<string> = []
  const sold = [...fixture.sold]
  for (const [index, { recurringPeriod, trialDays }] of plansSold.entries()) {
    const price = { amount: '1', amountCents: null }
    const plan = { ...book(network.usdc.assetId), name: asText('A club'), type: 'subscription' as const, price }
    const offered = { ...plan, recurringPeriod, trialDays: count(trialDays) }
    const { id: planId } = await done(billing.products.create({ ...newContext(), merchantId }, offered))
    const wanted = options({ id: null, email: `member-${index}@club.example`, phone: null })
    const { id } = await done(billing.checkouts.createForProduct({ ...newContext(), merchantId }, planId, wanted))
    const wallet = onNetwork.again(present(walletNumbers[index % walletNumbers.length]))
    const { transaction_xdr } = await done(billing.payer.transaction(id, wallet.account))
    await done(billing.payer.submit(id, wallet.sign(transaction_xdr)))
    network.wait(1_000)
    await done(worker.step)
    plans.push(planId)
    sold.push(id)
  }
  return { ...fixture, startMs: network.now(), plans, sold }
}
