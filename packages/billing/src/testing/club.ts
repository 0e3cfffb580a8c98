import { asText, CheckoutId, count, dayMs, Subscription, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import {
  type ContractCall,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  createCall,
  type MandateTerms,
  prepareCall,
} from '@quittance/ledger'
import { leastBid } from '../features/paying/payer-bid.ts'
import { publicSession } from '../features/paying/session.ts'
import type { NewPriceChange } from '../features/price-changes/schedule.ts'
import type { NewProduct } from '../features/products/create.ts'
import { fold } from '../kernel/fold.ts'
import { done, present } from './outcomes.ts'
import { book, command, options, someone } from './shop.ts'
import { openStoreFront, type StoreFront } from './store-front.ts'
import type { Wallet } from './wallets.ts'

const month = 'month' as const

/** A shop that sells a book club for 10 USD a month, in USDC. */
export const openClub = async () => clubIn(await openStoreFront())

export const clubIn = (front: StoreFront) => {
  const { billing, services, network, platform, merchantId, scope, step } = front
  const { gateway } = network
  const club = async (changed: Partial<NewProduct> = {}): Promise<string> => {
    const sold = { ...book(network.usdc.assetId), name: asText('A book club') }
    const product = { ...sold, type: 'subscription' as const, recurringPeriod: month, ...changed }
    return (await done(billing.products.create(command(platform, merchantId), product))).id
  }
  /** Opens a session, for a customer of this email if one is given. */
  const join = async (productId: string, email: string | null, trialDays?: number): Promise<CheckoutId> => {
    const wanted = options({ id: null, email, phone: null })
    const asked = trialDays === undefined ? wanted : { ...wanted, trialDays: count(trialDays) }
    const { id } = await done(billing.checkouts.createForProduct(command(platform, merchantId), productId, asked))
    return decoded(CheckoutId, id)
  }
  /** As `join`, for a customer of this email whom the merchant names by id. */
  const joinNamed = async (productId: string, email: string): Promise<CheckoutId> => {
    const [customer] = await done(billing.customers.createAll(command(platform, merchantId), [someone(email)]))
    return joinAs(productId, present(customer).id)
  }
  /** As `join`, for a customer whom the merchant names by id. */
  const joinAs = async (productId: string, customerId: string): Promise<CheckoutId> => {
    const wanted = options({ id: customerId, email: null, phone: null })
    const { id } = await done(billing.checkouts.createForProduct(command(platform, merchantId), productId, wanted))
    return decoded(CheckoutId, id)
  }
  /** Announces a new price to the subscribers of a product, in 31 days unless `changed` says otherwise. */
  const reprice = (productId: string, amount: string, changed: Partial<NewPriceChange> = {}) =>
    done(
      billing.priceChanges.schedule(command(platform, merchantId), {
        productId,
        price: { amount, amountCents: null },
        currency: null,
        assetId: null,
        recurringPeriod: null,
        effectiveAt: unixMs(network.now() + 31 * dayMs),
        withoutConsent: 'keep',
        ...changed,
      }),
    )
  const session = (id: string) => done(() => publicSession(services, id))
  const state = async (id: string) => (await session(id)).state
  const offered = (id: string, wallet: Wallet) => done(billing.payer.transaction(id, wallet.account))
  /** Signs the offer, and lets the worker ingest its ledger. */
  const enrol = async (id: string, wallet: Wallet): Promise<string> => {
    const { transaction_xdr } = await offered(id, wallet)
    const { transaction_hash } = await done(billing.payer.submit(id, wallet.sign(transaction_xdr)))
    await pass()
    return transaction_hash
  }
  const pass = async (ms = 5_000): Promise<void> => {
    network.wait(ms)
    await step()
  }
  /** The last offered terms. */
  const termsOf = async (id: string): Promise<MandateTerms> => {
    const { interval: intervalUnit, ...offer } = present((await state(id)).offers.at(-1))
    return { ...offer, intervalUnit, endsAt: null, reference: (await session(id)).reference }
  }
  /** Has a wallet create a mandate of whatever terms, past the service; `terms.customer` has to be the wallet. */
  const create = (wallet: Wallet, terms: MandateTerms): Promise<string> =>
    call(wallet, createCall(terms, gateway.networkPassphrase))
  /** Has a wallet call a contract, past the service. */
  const call = async (wallet: Wallet, called: ContractCall): Promise<string> => {
    const head = await done(gateway.latestLedger())
    const { accountSequence } = present(await done(gateway.accountView(wallet.account, [])))
    const order = {
      sourceAccount: wallet.account,
      nextAccountSequence: accountSequence + 1n,
      ledgerClosedAt: head.closedAt,
      lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
      notAfter: null,
      fee: leastBid,
      networkPassphrase: gateway.networkPassphrase,
    }
    const { envelopeXdr, transactionHash } = await done(prepareCall(gateway)(order, called))
    await done(gateway.submit(wallet.sign(envelopeXdr)))
    return transactionHash
  }
  const subscription = async (id: string) => {
    const { events } = await done(platform.log.readStream(`${Subscription.category}-${id}`))
    return fold(Subscription, events)
  }
  const checkout = (id: string) => done(billing.checkouts.retrieve(scope, id))
  return {
    ...front,
    club,
    join,
    joinNamed,
    joinAs,
    reprice,
    session,
    state,
    offered,
    enrol,
    pass,
    termsOf,
    create,
    call,
    subscription,
    checkout,
  }
}

export type Club = ReturnType<typeof clubIn>
