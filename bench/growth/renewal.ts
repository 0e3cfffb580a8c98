import {
  AuthorizationId,
  accountSequence,
  asText,
  Channel,
  type ChannelCommand,
  dayMs,
  defaultPolicy,
  dueAt,
  Intent,
  type IntentCommand,
  IntentId,
  LedgerTransaction,
  type LedgerTransactionCommand,
  MandateId,
  type NewEvent,
  nextStep,
  Payment,
  type PaymentCommand,
  PaymentId,
  type RecordedEvent,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionId,
  type SubscriptionRecord,
  type SubscriptionState,
  secondMs,
  stroops,
  unixMs,
} from '@quittance/domain'
import {
  decoded,
  exampleCharge,
  exampleCredit,
  exampleSubscription,
  exampleTerms,
  indexOf,
  merchantAccount,
} from '@quittance/domain/testing'
import { decodedBy } from '@quittance/projections'
import {
  checkoutOf,
  closedAfter,
  customerOf,
  digestOf,
  idOf,
  momentOf,
  productOf,
  sequenceOf,
  subscriptionOf,
  transactionOf,
} from './names.ts'
import { recordedAt } from './recorded-at.ts'
import type { Begun } from './sale.ts'

/** The charges of one transaction. */
export const chargesInCall = 16
/** The call that takes a renewal's charge has the number of the first renewal in it. */
const callOf = (n: number): number => n - (n % chargesInCall)
/** Each fourth buyer subscribes. */
const buyersBetween = 4
const [amount, fee, none] = [stroops(100_000_000n), stroops(1_000n), stroops(0n)]

/** The beginning of the n-th subscription, of 10 USD a month after a day of trial. */
export const subscription = (n: number): Begun => {
  const buyer = n * buyersBetween
  const startedAt = momentOf(buyer)
  const { mandate, ...begun } = exampleSubscription(startedAt, {
    trialDays: 1,
    terms: { ...exampleTerms, productId: productOf(n) },
  })
  const lasting = { allowance: stroops(50_000_000_000n), expiresAt: unixMs(startedAt + 3_000 * dayMs) }
  const own = {
    ...{ checkoutId: checkoutOf(buyer), customerId: customerOf(buyer) },
    mandate: {
      ...mandate,
      mandateId: decoded(MandateId, digestOf('mandate', n)),
      approval: { ...mandate.approval, ...lasting },
    },
  }
  const events = recordedAt(n, 5, Subscription, [{ type: 'StartSubscription', ...begun, ...own }])
  return { stream: `${Subscription.category}-${subscriptionOf(n)}`, events }
}

/** The payments of sales and of renewals are of the same time, and others. */
const paymentOfRenewal = (n: number): PaymentId => idOf(PaymentId, n + 0.5)

/** What the worker gives next for the n-th renewal of all, until its charge is confirmed. */
const nextCommand =
  (n: number) =>
  (state: SubscriptionState): SubscriptionCommand | null => {
    if (state.status === 'absent') throw new Error('there is no subscription')
    const paymentId = paymentOfRenewal(n)
    const attempt = state.attempts.find((each) => each.paymentId === paymentId)
    if (attempt?.status === 'confirmed') return null
    if (attempt?.isHandedOver === true) {
      const call = callOf(n)
      const inLedger = { ...closedAfter(call), closedAt: unixMs(attempt.at + 5 * secondMs) }
      return { type: 'ConfirmCharge', paymentId, transactionHash: transactionOf('call', call), ...inLedger }
    }
    const at = dueAt(state)
    if (at === null) throw new Error('nothing is due')
    const step = nextStep(state, at, defaultPolicy)
    const notice = { at, problem: null, authorizationId: idOf(AuthorizationId, n) }
    if (step._tag === 'announce_trial_end') return { type: 'AnnounceTrialEnd', ...notice }
    if (step._tag === 'announce_renewal') return { type: 'AnnounceRenewal', n: step.n, ...notice }
    if (step._tag === 'announce_expiry') return { type: 'AnnounceExpiry', at }
    if (step._tag === 'request_authorization')
      return { type: 'RequestAuthorization', at, authorizationId: notice.authorizationId }
    if (step._tag === 'hand_over_charge') return { type: 'HandOverCharge', paymentId, at }
    if (step._tag !== 'attempt_charge') throw new Error(`${step._tag} is due`)
    const { period, n: number, k, why } = step.charge
    const charge = { n: number, k, why, periodStart: period.start, price: state.terms.price }
    return { type: 'AttemptCharge', at, paymentId, ...charge, amount, rates: [] }
  }

type Streams = ReadonlyArray<Begun>

/** The n-th renewal's payment and intent: seven events in two streams. */
const charged = (n: number, { details, nextN }: SubscriptionRecord, subscriptionId: SubscriptionId): Streams => {
  const [paymentId, call] = [paymentOfRenewal(n), callOf(n)]
  const transactionHash = transactionOf('call', call)
  const place = { transactionHash, operationIndex: indexOf(n % chargesInCall) }
  const { checkoutId, customerId, assetId, terms, metadata } = details
  const opened = {
    ...{ checkoutId, customerId, productId: terms.productId, subscriptionId, assetId, metadata },
    ...{ currencyCode: terms.price.currency, amountCents: terms.price.cents, amountDue: amount },
    ...{ cause: 'renewal' as const, period: nextN },
  }
  const confirmed = { excess: none, overpaid: none, late: false, transactionHash, walletId: null, billingDetails: null }
  const payment: ReadonlyArray<PaymentCommand> = [
    { type: 'OpenPayment', ...opened },
    { type: 'RecordCredit', credit: { ...exampleCredit, ...place, ...closedAfter(call) } },
    { type: 'ConfirmPayment', ...confirmed },
  ]
  const intent: ReadonlyArray<IntentCommand> = [
    { type: 'RecordIntent', ...exampleCharge, owner: asText(paymentId) },
    { type: 'AttachIntent', ...place },
    { type: 'SettleIntent', attachedTo: transactionHash, ...place, ...closedAfter(call) },
    { type: 'ReportIntent' },
  ]
  return [
    { stream: `${Payment.category}-${paymentId}`, events: recordedAt(n, 6, Payment, payment) },
    { stream: `${Intent.category}-${idOf(IntentId, n)}`, events: recordedAt(n, 7, Intent, intent) },
  ]
}

/** A call: the transaction that took the charges of 16 renewals, and the number that it used. Six events in two streams. */
export const call = (n: number): Streams => {
  const transactionHash = transactionOf('call', n)
  const prepared = {
    ...{
      envelopeXdr: asText('A'.repeat(4_000)),
      class: 'charge' as const,
      maxTime: unixMs(momentOf(n) + 90 * secondMs),
    },
    ...{ sourceAccount: merchantAccount, accountSequence: accountSequence(777n) },
    ...{ preparedAfter: closedAfter(n).ledger, preparedAt: momentOf(n), fee, feeCap: fee },
    intents: Array.from({ length: chargesInCall }, (_, index) => idOf(IntentId, n + index)),
  }
  const succeeded = { transactionHash, ...closedAfter(n), feeSource: merchantAccount, feeCharged: fee }
  const transaction: ReadonlyArray<LedgerTransactionCommand> = [
    { type: 'PrepareTransaction', ...prepared },
    { type: 'ReleaseTransaction' },
    { type: 'RecordSuccess', ...succeeded },
    { type: 'CloseTransaction' },
  ]
  const channel: ReadonlyArray<ChannelCommand> = [
    { type: 'TakeSequence', transactionHash },
    { type: 'UseSequence', transactionHash },
  ]
  return [
    {
      stream: `${LedgerTransaction.category}-${transactionHash}`,
      events: recordedAt(n, 8, LedgerTransaction, transaction),
    },
    {
      stream: `${Channel.category}-${merchantAccount}${sequenceOf(n)}`,
      events: recordedAt(n, 9, Channel, channel),
    },
  ]
}

/** What a renewal adds to its subscription, and in new streams. */
type Renewal = { readonly own: ReadonlyArray<NewEvent>; readonly others: Streams }

const decode = decodedBy(Subscription)

/** The n-th renewal of all, of the subscription that these events are of: charged as soon as it is due. */
export const renewal = (n: number, subscriptionId: SubscriptionId, events: ReadonlyArray<RecordedEvent>): Renewal => {
  const { initial, evolve } = Subscription.decider
  const before = events.map(decode).reduce(evolve, initial)
  if (before.status === 'absent') throw new Error('there is no subscription')
  return {
    own: recordedAt(n, 10, Subscription, nextCommand(n), before),
    others: charged(n, before, subscriptionId),
  }
}
