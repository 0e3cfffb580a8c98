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
  type LedgerHead,
  type LedgerUnreachable,
  type MandateTerms,
  mandateIdOf,
  offeredFees,
  type PreparedCall,
  prepareCall,
  tokenContractOf,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { executeLater } from '../../kernel/execute.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { unfitBy } from '../mandates/failures.ts'
import { mandateTerms } from './mandate-terms.ts'
import { trialDaysFor } from './mandate-trials.ts'
import type { PayFailure } from './pay.ts'
import { accountAt, ensureArrival, type PayableSession } from './payable-session.ts'
import { bidOfPayer, goingPrice, isStillEnough } from './payer-bid.ts'
import { ensureCallFunded } from './payer-funds.ts'
import { payerContext } from './session.ts'

/** How long a quote judges what was begun while it held. */
const quoteGraceMs = 2 * minuteMs

/** What was offered may be asked for again, the same bytes, as long as there is time to sign them. */
const leastTimeToSignMs = minuteMs

/**
 * Puts a mandate before a wallet: simulated, its authorisations checked, and recorded before anyone is given it to sign.
 * As long as nothing has changed, who asks again is given the same. Errors: why no mandate can be offered now.
 */
export const offerMandate =
  (services: Services) =>
  (payable: PayableSession, plan: SubscriptionPlan, wallet: AccountId): TE.TaskEither<PayFailure, MandateOffer> =>
    pipe(
      TE.fromEither(networkOf(services, payable.session.found.environment)),
      TE.bindTo('network'),
      TE.bindW('head', ({ network }) => network.gateway.latestLedger()),
      TE.chainFirstW(() => ensureArrival(services, payable)),
      TE.bindW('account', ({ network }) => accountAt(network, wallet, [])),
      TE.bindW('trialDays', () => trialDaysFor(services)(payable.session, plan, wallet)),
      TE.bindW('price', ({ network }) => TE.fromTask(goingPrice(network.gateway, 'contract'))),
      TE.chainW((place) => {
        const { network, head, account, trialDays, price } = place
        const known = offeredAlready(payable, account, trialDays, head.closedAt)
        return known === null
          ? offerAnew(services, payable, plan, place)
          : pipe(
              stillGood(network, account, known, price),
              TE.chainW((isGood) => (isGood ? TE.right(known) : offerAnew(services, payable, plan, place))),
            )
      }),
    )

/** Whether what was offered would still go through, were it signed now. */
const stillGood = (
  { gateway }: Network,
  account: AccountView,
  { assetId, firstAmount, envelopeXdr }: MandateOffer,
  price: Stroops,
): TE.TaskEither<LedgerUnreachable, boolean> => {
  const { inclusion, resources } = offeredFees(envelopeXdr)
  return pipe(
    gateway.simulate(envelopeXdr),
    TE.map(
      (simulation) =>
        simulation._tag !== 'SimulationFailed' &&
        isStillEnough(inclusion, price) &&
        E.isRight(ensureCallFunded(account, assetId, firstAmount, stroops(inclusion + resources))),
    ),
  )
}

type Place = {
  readonly network: Network
  readonly head: LedgerHead
  readonly account: AccountView
  readonly trialDays: number
  readonly price: Stroops
}

const offeredAlready = (
  { session: { state }, quote }: PayableSession,
  { account, accountSequence: used }: AccountView,
  trialDays: number,
  now: UnixMs,
): MandateOffer | null =>
  state.offers.findLast(
    (offer) =>
      offer.customer === account &&
      offer.quote === quote.ordinal &&
      offer.trialDays === trialDays &&
      offer.accountSequence === used + 1n &&
      offer.maxTime >= now + leastTimeToSignMs,
  ) ?? null

const offerAnew = (
  services: Services,
  payable: PayableSession,
  plan: SubscriptionPlan,
  { network, head, account, trialDays, price }: Place,
): TE.TaskEither<PayFailure, MandateOffer> => {
  const { session, quote } = payable
  const { gateway } = network
  const next = account.accountSequence + 1n
  const bid = bidOfPayer(price)
  const order = {
    sourceAccount: account.account,
    nextAccountSequence: next,
    ledgerClosedAt: head.closedAt,
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    notAfter: unixMs(Math.min(quote.validUntil + quoteGraceMs, session.state.details.expiresAt - secondMs)),
    fee: bid,
    networkPassphrase: gateway.networkPassphrase,
  }
  return pipe(
    mandateTerms(services)(payable, plan, network, head, account.account, trialDays),
    TE.bindTo('terms'),
    TE.bindW('prepared', ({ terms }) =>
      pipe(
        prepareCall(gateway)(order, createCall(terms, gateway.networkPassphrase)),
        TE.mapLeft((failure) =>
          failure._tag === 'LedgerUnreachable' ? failure : unfitBy(failure, session.state.details),
        ),
      ),
    ),
    TE.chainFirstEitherKW(({ terms, prepared }) =>
      ensureCallFunded(account, terms.assetId, terms.firstAmount, stroops(bid + prepared.resourceFee)),
    ),
    TE.let('offer', ({ terms, prepared }) =>
      offerOf(terms, prepared, payable, plan, trialDays, gateway.networkPassphrase, next),
    ),
    TE.chainFirstW(({ offer }) => {
      const context = payerContext(services, session.found)
      const decide = Checkout.decider.decide({ type: 'OfferMandate', at: context.at, offer })
      return executeLater(services.store)(Checkout, session.id, context, decide)
    }),
    TE.map(({ offer }) => offer),
  )
}

const offerOf = (
  { intervalUnit: interval, intervalCount: _, endsAt: __, reference, ...terms }: MandateTerms,
  { transactionHash, maxTime, envelopeXdr }: PreparedCall,
  { quote }: PayableSession,
  { intervalCount }: SubscriptionPlan,
  trialDays: number,
  networkPassphrase: string,
  sequence: bigint,
): MandateOffer => ({
  ...terms,
  mandateId: mandateIdOf({ ...terms, reference }),
  token: tokenContractOf(terms.assetId, networkPassphrase),
  interval,
  intervalCount,
  trialDays: count(trialDays),
  quote: quote.ordinal,
  transactionHash,
  accountSequence: accountSequence(sequence),
  maxTime,
  envelopeXdr: asText(envelopeXdr),
})
