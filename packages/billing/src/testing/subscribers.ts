import {
  type AccountId,
  type AssetId,
  CheckoutId,
  CurrencyCode,
  CustomerId,
  cents,
  count,
  hourMs,
  LedgerSequence,
  nextStep,
  noMetadata,
  type PaymentId,
  ProductId,
  positiveCount,
  type Stroops,
  Subscription,
  type SubscriptionCommand,
  SubscriptionId,
  type SubscriptionState,
  stroops,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import {
  type ContractCall,
  chargeManyCall,
  createCall,
  keyPairFromSeed,
  type MandateTerms,
  mandateIdOf,
  prepareCall,
  tokenContractOf,
} from '@quittance/ledger'
import { chargePaymentId, startCharge } from '../features/charges/start-charge.ts'
import { makeOwnKeys, operatorAccount } from '../features/outgoing/signing-accounts.ts'
import { execute } from '../kernel/execute.ts'
import { fold } from '../kernel/fold.ts'
import type { Services } from '../services/services.ts'
import { operatorKey } from '../stores/vault/vault-signer.ts'
import { passphrase } from './network.ts'
import { done, present } from './outcomes.ts'
import { book, command, someone } from './shop.ts'
import type { StoreFront } from './store-front.ts'
import { units, type Wallet } from './wallets.ts'

const dayMs = 24 * hourMs
const tenDollars = { currency: decoded(CurrencyCode, 'USD'), cents: cents(1_000n) }
type Existing = Exclude<SubscriptionState, { readonly status: 'absent' }>

/** How the contract's code is called, and how it names what it makes; by default today's. */
type MandateCode = { readonly create: typeof createCall; readonly idOf: typeof mandateIdOf }

/** The terms that a customer signs; by default 11 USDC a day, without a near end. */
type Signed = {
  readonly cap?: Stroops
  readonly code?: MandateCode
  readonly allowance?: Stroops
  readonly operator?: AccountId
  readonly startsAfterMs?: number
  readonly interval?: 'day' | 'month'
}

/** The signing customer. */
type Keys = Pick<Wallet, 'account' | 'sign'>

/**
 * People who have subscribed to something for 10 USD a day, in USDC as a rule, after a trial of one day; their ids are
 * numbered from here.
 */
export const subscribersOf = async (
  front: StoreFront,
  numberedFrom = 0,
  assetId: AssetId = front.network.usdc.assetId,
) => {
  const { network, services, platform, billing, merchantId, scope, account: payee } = front
  const { gateway } = network
  const contract = present(network.seen().mandateContract)
  await makeOwnKeys(services, network.seen(), 'testnet')
  const operator = present(await operatorAccount(services, 'testnet')).account
  const product = await done(billing.products.create(command(platform, merchantId), book(assetId)))
  let subscribers = numberedFrom

  /** Signs a mandate, and closes its ledger. */
  const enrol = async (wallet: Wallet, signed: Signed = {}) => {
    const { cap = units(11), allowance = units(5_000), startsAfterMs = dayMs, interval = 'day' } = signed
    const { create, idOf } = signed.code ?? { create: createCall, idOf: mandateIdOf }
    subscribers += 1
    const head = await done(gateway.latestLedger())
    const terms: MandateTerms = {
      contract,
      customer: wallet.account,
      payee,
      operator: signed.operator ?? operator,
      assetId,
      cap,
      intervalUnit: interval,
      intervalCount: 1,
      firstChargeAt: unixMs(head.closedAt + startsAfterMs),
      endsAt: null,
      firstAmount: stroops(0n),
      allowance,
      allowanceExpiryLedger: decoded(LedgerSequence, head.sequence + 1_000_000),
      reference: exampleId(CheckoutId, subscribers),
    }
    await callAs(wallet, create(terms, passphrase))
    return { terms, mandateId: idOf(terms), startedAt: head.closedAt, number: subscribers }
  }

  /** Subscribes with a mandate that is on the ledger. */
  const subscribe = async (wallet: Wallet, signed: Signed = {}): Promise<SubscriptionId> => {
    const { terms, mandateId, startedAt, number } = await enrol(wallet, signed)
    const [customer] = await done(
      billing.customers.createAll(command(platform, merchantId), [someone(`s${number}@example.com`)]),
    )
    const { customer: payer, cap, firstChargeAt, allowance, allowanceExpiryLedger } = terms
    const subscriptionId = exampleId(SubscriptionId, number)
    const cycle = { interval: signed.interval ?? 'day', intervalCount: positiveCount(1) }
    await give(subscriptionId, {
      type: 'StartSubscription',
      checkoutId: exampleId(CheckoutId, number),
      customerId: decoded(CustomerId, customer?.id),
      terms: { productId: decoded(ProductId, product.id), priceVersion: positiveCount(1), price: tenDollars, ...cycle },
      assetId,
      mandate: {
        mandateId,
        contract,
        customer: payer,
        payee,
        operator,
        token: tokenContractOf(assetId, passphrase),
        cap,
        ...cycle,
        firstChargeAt,
        approval: {
          allowance,
          allowanceExpiryLedger,
          expiresAt: unixMs(startedAt + 200 * dayMs),
          approvedAt: startedAt,
        },
      },
      trialDays: count(1),
      firstPaymentId: null,
      metadata: noMetadata,
      startedAt,
    })
    return subscriptionId
  }

  const give = async (id: SubscriptionId, given: SubscriptionCommand, on = services): Promise<void> => {
    const context = { ...command(platform, merchantId), at: services.clock.now('testnet') }
    await done(execute(on.store)(Subscription, id, context, Subscription.decider.decide(given)))
  }
  const now = async (id: SubscriptionId): Promise<Existing> => {
    const { events } = await done(platform.log.readStream(`${Subscription.category}-${id}`))
    const state = fold(Subscription, events)
    if (state.status === 'absent') throw new Error(`${id} does not exist`)
    return state
  }
  /** Does what a worker does when a charge is due. */
  const startAs = async (id: SubscriptionId, on: Services, amount?: Stroops): Promise<PaymentId> => {
    const before = await now(id)
    if (before.attempts.at(-1)?.status !== 'under_way') await attempt(id, on, amount)
    return handOver(id, on)
  }
  /** Attempts the charge that is due, and does not hand it over. */
  const attempt = async (id: SubscriptionId, on: Services = services, amount: Stroops = units(10)): Promise<void> => {
    const { policy } = await done(on.settlementOf(merchantId, 'testnet'))
    const at = unixMs(network.now())
    const state = await now(id)
    const step = nextStep(state, at, policy)
    if (step._tag !== 'attempt_charge') throw new Error(`${id} wants to ${step._tag}`)
    const { n, k, period, why } = step.charge
    const paymentId = chargePaymentId(scope, id, { n, k, dueAt: period.start })
    const { price } = state.terms
    const charge = { n, k, periodStart: period.start, why, paymentId, price, amount, rates: [], at }
    await give(id, { type: 'AttemptCharge', ...charge })
  }
  /** Hands over what was attempted; again, where a process has died before it was. */
  const handOver = async (id: SubscriptionId, on: Services = services): Promise<PaymentId> => {
    const state = await now(id)
    const attempt = present(state.attempts.at(-1))
    await done(() => startCharge(on, scope, id, state, attempt))
    await give(id, { type: 'HandOverCharge', paymentId: attempt.paymentId, at: attempt.at })
    return attempt.paymentId
  }
  const start = (id: SubscriptionId, amount?: Stroops): Promise<PaymentId> => startAs(id, services, amount)
  const payment = async (id: PaymentId) => present(await (await platform.shown()).payments.withId(id)).row
  const intentOf = async (id: PaymentId) => present((await (await platform.shown()).intents.withKey(id))[0]).row
  const eventsOf = async (stream: string) => (await done(platform.log.readStream(stream))).events
  const isReconciled = async (): Promise<boolean> => {
    await front.step()
    const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    return (await done(billing.following.reconcile('testnet', request))).isOk
  }

  /** Has a contract call on the ledger that no worker knows of. */
  const callAs = async (key: Keys, call: ContractCall): Promise<void> => {
    const head = await done(gateway.latestLedger())
    const view = present(await done(gateway.accountView(key.account, [])))
    const order = {
      sourceAccount: key.account,
      nextAccountSequence: view.accountSequence + 1n,
      ledgerClosedAt: head.closedAt,
      lifetimeMs: 60_000,
      notAfter: null,
      fee: stroops(200n),
      networkPassphrase: passphrase,
    }
    const { envelopeXdr } = await done(prepareCall(gateway)(order, call))
    await done(gateway.submit(key.sign(envelopeXdr)))
    network.sandbox.close()
  }
  /** Charges what is wanted, as the operator does whose log was lost since. */
  const chargeBehindOurBack = async (id: SubscriptionId, paymentId: PaymentId): Promise<void> => {
    const { secret } = await services.vault.carriage.withSeed(operatorKey('testnet'), keyPairFromSeed)
    await done(network.sandbox.provision(secret))
    const { mandate } = (await now(id)).authorization
    const { action } = (await intentOf(paymentId)).details
    if (action._tag !== 'charge') throw new Error('no charge')
    const { periodStart, amount, reference } = action
    const charge = { mandate: mandate.mandateId, periodStart, amount, reference }
    await callAs(front.wallets.keyed(secret), chargeManyCall(contract, operator, [charge]))
  }
  /** Has a stranger pay our merchant by their own mandate, with the reference of one of our payments. */
  const chargeAsStranger = async (stranger: Wallet, reference: PaymentId, amount: Stroops): Promise<void> => {
    const { mandateId, startedAt } = await enrol(stranger, { operator: stranger.account, startsAfterMs: 0 })
    const charge = { mandate: mandateId, periodStart: startedAt, amount, reference }
    await callAs(stranger, chargeManyCall(contract, stranger.account, [charge]))
  }
  /** A day goes by, of which the worker has seen nothing yet. */
  const sleepADay = (): void => network.wait(dayMs)
  /** Lets a ledger close, and the worker see it. */
  const pass = async (ms = 1_000): Promise<void> => {
    network.wait(ms)
    await front.step()
  }
  return {
    operator,
    sleepADay,
    subscribe,
    give,
    now,
    start,
    startAs,
    attempt,
    handOver,
    payment,
    intentOf,
    eventsOf,
    pass,
    isReconciled,
    callAs,
    chargeBehindOurBack,
    chargeAsStranger,
  }
}

export type Subscribers = Awaited<ReturnType<typeof subscribersOf>>
