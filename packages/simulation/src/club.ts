import { createWorker } from '@quittance/billing'
import { presentWasm } from '@quittance/billing/testing/moving-club'
import { done, present } from '@quittance/billing/testing/outcomes'
import { book, options } from '@quittance/billing/testing/shop'
import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import { asText, count, dayMs, secondMs, stroops } from '@quittance/domain'
import { deployContract, signerOfSecret } from '@quittance/ledger'
import { buildShop, type Fixture, walletNumbers } from './fixture.ts'
import { ownNumbers, provenDestination } from './till.ts'

/**
 * 2027-01-30T12:00:00Z: subscriptions that begin then, or a day later after a trial, cross months of different lengths.
 */
const startMs = 1_801_310_400_000
/** One paid week, then two weeks in which all charges for the next one fail. */
const owedAfterMs = [7 * dayMs, 15 * dayMs]

const plansSold = [
  { recurringPeriod: 'month', trialDays: 0, amount: '1' },
  { recurringPeriod: 'month', trialDays: 1, amount: '1' },
  { recurringPeriod: 'week', trialDays: 0, amount: '1' },
  { recurringPeriod: 'day', trialDays: 2, amount: '1' },
  // Not subscribed to yet: one price within the mandate of the first plan, one beyond it.
  { recurringPeriod: 'month', trialDays: 0, amount: '1.09' },
  { recurringPeriod: 'month', trialDays: 0, amount: '3' },
] as const

const debtorNumber = 3
/** The wallets of subscribers. */
export const memberNumbers = [...walletNumbers, debtorNumber]

/**
 * Builds a fixture whose merchant also sells plans: monthly with and without a trial, weekly and daily, each with a
 * subscriber. Another subscriber, with an empty wallet, owes an invoice.
 */
export const buildClub = async (): Promise<Fixture> => {
  const owedForMs = owedAfterMs.reduce((sum, ms) => sum + ms, 0)
  const { fixture, network, services, billing, newContext } = await buildShop(startMs - owedForMs)
  const { merchantId } = fixture
  const worker = present(createWorker(services, 'testnet', () => undefined))
  const onNetwork = walletsOn(network)
  const plans: Array<string> = []
  for (const { recurringPeriod, trialDays, amount } of plansSold) {
    const price = { amount, amountCents: null }
    const plan = { ...book(network.usdc.assetId), name: asText('A club'), type: 'subscription' as const, price }
    const offered = { ...plan, recurringPeriod, trialDays: count(trialDays) }
    plans.push((await done(billing.products.create({ ...newContext(), merchantId }, offered))).id)
  }
  const sold = [...fixture.sold]
  const subscribe = async (wallet: Wallet, planId: string): Promise<void> => {
    const wanted = options({ id: null, email: `member-${sold.length}@club.example`, phone: null })
    const { id } = await done(billing.checkouts.createForProduct({ ...newContext(), merchantId }, planId, wanted))
    const { transaction_xdr } = await done(billing.payer.transaction(id, wallet.account))
    await done(billing.payer.submit(id, wallet.sign(transaction_xdr)))
    await network.wait(secondMs)
    await done(worker.step)
    sold.push(id)
  }
  const debtor = await onNetwork.wallet(debtorNumber)
  await subscribe(debtor, present(plans[2]))
  const { trustlines } = present(await done(network.gateway.accountView(debtor.account, [network.usdc.assetId])))
  const all = stroops(present(trustlines[0]).spendable)
  debtor.pay({ to: present(fixture.wallets[0]), asset: network.usdc.assetId, parts: [all], memo: null })
  for (const ms of owedAfterMs)
    for (const wait of [ms, secondMs, secondMs]) {
      await network.wait(wait)
      await done(worker.step)
    }
  for (const [index, planId] of plans.slice(0, 4).entries())
    await subscribe(onNetwork.again(present(walletNumbers[index % walletNumbers.length])), planId)
  const wallets = [...fixture.wallets, debtor.account]
  const own = await onNetwork.wallet(ownNumbers.lasting)
  const destination = await provenDestination({ fixture, billing, newContext }, own)
  const deployment = {
    wasm: presentWasm,
    deployer: own.account,
    signer: present(signerOfSecret(own.secret)),
    liveFor: 0,
    resourceFeeLimit: stroops(1_000_000_000n),
  }
  const pause = async (): Promise<void> => network.wait(secondMs)
  const { contract: nextContract } = await done(deployContract(network.gateway, pause)(deployment))
  return { ...fixture, startMs: network.now(), plans, sold, wallets, destinations: [destination], nextContract }
}
