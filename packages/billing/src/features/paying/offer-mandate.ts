import {
  type AccountId,
  accountSequence,
  asText,
  Checkout,
  count,
  type MandateOffer,
  minuteMs,
  type Stroops,
  type SubscriptionPlan,
  secondMs,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import {
  type AccountView,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  createCall,
  type LedgerUnreachable,
  type MandateTerms,
  mandateIdOf,
  offeredFees,
  type PreparedCall,
  prepareCall,
  tokenContractOf,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { execute } from '../../kernel/execute.ts'
import { type Network, networkOf } from '../../services/services.ts'
import { unfitBy } from '../mandates/failures.ts'
import { trialDaysFor } from '../mandates/trials.ts'
import { mandateTerms, type OfferBasis } from './mandate-terms.ts'
import type { PayFailure } from './pay.ts'
import { accountAt, ensureArrival, type PayableSession } from './payable-session.ts'
import { bidOfPayer, goingPrice, isStillEnough } from './payer-bid.ts'
import { ensureCallFunded } from './payer-funds.ts'
import type { PayerServices } from './services.ts'
import { payerContext } from './session.ts'

/** How long an expired quote still applies to what was begun while it was valid. */
const quoteGraceMs = 2 * minuteMs

/** The same transaction is offered again while there is at least this much time to sign it. */
const leastTimeToSignMs = minuteMs

/**
 * Offers a mandate to a wallet. The transaction is simulated, its authorisations are checked, and the offer is recorded
 * before the wallet gets it. While nothing changes, the same offer is returned. Errors: why no mandate can be offered
 * now.
 */
export const offerMandate = async (
  services: PayerServices,
  payable: PayableSession,
  plan: SubscriptionPlan,
  wallet: AccountId,
): Promise<E.Either<PayFailure, MandateOffer>> => {
  const network = networkOf(services, payable.session.found.environment)
  if (E.isLeft(network)) return network
  const { gateway } = network.right
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const arrives = await ensureArrival(services, payable)
  if (E.isLeft(arrives)) return arrives
  const account = await accountAt(network.right, wallet, [])
  if (E.isLeft(account)) return account
  const trialDays = await trialDaysFor(services, payable.session, plan, wallet)
  if (E.isLeft(trialDays)) return trialDays
  const price = await goingPrice(gateway, 'contract')
  const known = offeredAlready(payable, network.right, account.right, trialDays.right, head.right.closedAt)
  if (known !== null) {
    const isGood = await isStillGood(network.right, account.right, known, price)
    if (E.isLeft(isGood)) return isGood
    if (isGood.right) return E.right(known)
  }
  const basis = {
    network: network.right,
    head: head.right,
    account: account.right,
    trialDays: trialDays.right,
    bid: bidOfPayer(price),
  }
  return offerAnew(services, payable, plan, basis)
}

/** Whether an earlier offer would still succeed if it were signed now. */
const isStillGood = async (
  { gateway }: Network,
  account: AccountView,
  { assetId, firstAmount, envelopeXdr }: MandateOffer,
  price: Stroops,
): Promise<E.Either<LedgerUnreachable, boolean>> => {
  const { inclusion, resources } = offeredFees(envelopeXdr)
  const simulation = await gateway.simulate(envelopeXdr)()
  if (E.isLeft(simulation)) return simulation
  const funded = ensureCallFunded(account, assetId, firstAmount, stroops(inclusion + resources))
  return E.right(simulation.right._tag !== 'SimulationFailed' && isStillEnough(inclusion, price) && E.isRight(funded))
}

const offeredAlready = (
  { session: { state }, quote }: PayableSession,
  { mandateContract }: Network,
  { account, accountSequence: used }: AccountView,
  trialDays: number,
  now: UnixMs,
): MandateOffer | null =>
  state.offers.findLast(
    (offer) =>
      offer.contract === mandateContract &&
      offer.customer === account &&
      offer.quote === quote.ordinal &&
      offer.trialDays === trialDays &&
      offer.accountSequence === used + 1n &&
      offer.maxTime >= now + leastTimeToSignMs,
  ) ?? null

const offerAnew = async (
  services: PayerServices,
  payable: PayableSession,
  plan: SubscriptionPlan,
  basis: OfferBasis,
): Promise<E.Either<PayFailure, MandateOffer>> => {
  const { network, head, account, bid } = basis
  const { session, quote } = payable
  const { gateway } = network
  const order = {
    sourceAccount: account.account,
    nextAccountSequence: account.accountSequence + 1n,
    ledgerClosedAt: head.closedAt,
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    notAfter: unixMs(Math.min(quote.validUntil + quoteGraceMs, session.state.details.expiresAt - secondMs)),
    fee: bid,
    networkPassphrase: gateway.networkPassphrase,
  }
  const terms = await mandateTerms(services, payable, plan, basis)
  if (E.isLeft(terms)) return terms
  const prepared = await prepareCall(gateway)(order, createCall(terms.right, gateway.networkPassphrase))()
  if (E.isLeft(prepared)) {
    const failure = prepared.left
    return E.left(failure._tag === 'LedgerUnreachable' ? failure : unfitBy(failure, session.state.details))
  }
  const { assetId, firstAmount } = terms.right
  const funded = ensureCallFunded(account, assetId, firstAmount, stroops(bid + prepared.right.resourceFee))
  if (E.isLeft(funded)) return funded
  const offer = offerOf(terms.right, prepared.right, payable, plan, basis)
  const context = payerContext(services, session.found)
  const decide = Checkout.decider.decide({ type: 'OfferMandate', at: context.at, offer })
  const recorded = await execute(services.store)(Checkout, session.id, context, decide)
  return E.isLeft(recorded) ? recorded : E.right(offer)
}

const offerOf = (
  { intervalUnit: interval, intervalCount: _, endsAt: __, reference, ...terms }: MandateTerms,
  { transactionHash, maxTime, envelopeXdr }: PreparedCall,
  { quote }: PayableSession,
  { intervalCount }: SubscriptionPlan,
  { network, account, trialDays }: OfferBasis,
): MandateOffer => ({
  ...terms,
  mandateId: mandateIdOf({ ...terms, reference }),
  token: tokenContractOf(terms.assetId, network.gateway.networkPassphrase),
  interval,
  intervalCount,
  trialDays: count(trialDays),
  quote: quote.ordinal,
  transactionHash,
  accountSequence: accountSequence(account.accountSequence + 1n),
  maxTime,
  envelopeXdr: asText(envelopeXdr),
})
