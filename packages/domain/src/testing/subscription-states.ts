import type { RatesAfter } from '../merchant/index.ts'
import { cents } from '../shared/cents.ts'
import { PriceChangeId } from '../shared/ids.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { stroops } from '../shared/stroops.ts'
import { count, hourMs, minuteMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { nextStep, Subscription, type SubscriptionCommand, type SubscriptionState } from '../subscription/index.ts'
import { chargeAt } from '../subscription/next-charge.ts'
import { contractOf } from './account.ts'
import { decoded, exampleId, hashOf, usdc } from './examples.ts'
import {
  allowed,
  attemptOf,
  authorizationOf,
  begun,
  confirmed,
  dayMs,
  failed,
  inLedgerAt,
  invoiceOf,
  mandateOf,
  monthly,
  on,
  paymentOf,
  policy,
  settled,
  yearly,
} from './subscription-examples.ts'
import { type Ends, type Life, lifeOf } from './subscription-life.ts'

/** A state worth telling apart, and the moment at which commands are given in it. */
export type Situation = { readonly state: SubscriptionState; readonly now: UnixMs }

const began = on('2027-01-31')
const noMoney: Ends = () => 'balance_too_low'
const situation = ({ state, now }: Life): Situation => ({ state, now })

const paying = (until: UnixMs, ends: Ends = () => 'confirmed'): Life => {
  const life = lifeOf(begun(began))
  life.pass(until, ends)
  return life
}
const trying = (until: UnixMs): Life => {
  const life = lifeOf(begun(began, { trialDays: 14 }))
  life.pass(until)
  return life
}
/** The worker has been away, or is about to wake. */
const at = (life: Life, now: UnixMs): Situation => ({ state: life.state, now })
const after = (life: Life, ...commands: ReadonlyArray<SubscriptionCommand>): Life => {
  for (const command of commands) life.give(command)
  return life
}
const pausedAt = (life: Life): Life => after(life, { type: 'Pause', at: life.now })
const periodEnd = on('2027-02-28')
const lastRetryFailed = (): Life => {
  const life = paying(on('2027-03-14T12:00:00'), noMoney)
  const now = on('2027-03-14T12:01:00')
  const step = nextStep(life.state, now, policy)
  if (step._tag !== 'attempt_charge') throw new Error(`${step._tag} is due instead of the last retry`)
  const { n, k } = step.charge
  return after(life, attemptOf(step.charge, now), failed(n, k, 'balance_too_low', now))
}

const canceling: SubscriptionCommand = { type: 'Cancel', when: 'period_end', at: on('2027-02-20') }
const paidUp = (): Life => paying(on('2027-02-20'))
const unpaid = (): Life => paying(on('2027-03-05'), noMoney)
const owing = (): Life => paying(on('2027-03-16'), noMoney)
const resuming = (): Life => after(pausedAt(unpaid()), { type: 'Resume', at: on('2027-03-05') })
const resumingRefused = (): Life => {
  const life = resuming()
  const charge = chargeAt(life.state, life.now)
  return after(life, attemptOf(charge, life.now), failed(charge.n, charge.k, 'allowance_too_low', life.now))
}
const revoked = (): Life =>
  after(paidUp(), {
    type: 'RecordMandateEnd',
    mandateId: mandateOf(500, monthly, began).mandateId,
    by: 'customer',
    ...inLedgerAt(on('2027-02-20')),
  })
const awake = (life: Life, ends: Ends = () => 'confirmed'): Life => {
  life.wakeAt(life.now, ends)
  return life
}
/** Three attempts that a ledger held as failures, and a fourth that was asked for. */
const tooMany = (): Life => {
  const life = paying(on('2027-02-27'))
  for (const minute of [0, 1, 2, 3]) {
    const now = unixMs(periodEnd + minute * minuteMs)
    life.give({ type: 'RequestRetry', cause: 'demand', at: now })
    const { n, k, ...rest } = chargeAt(life.state, now)
    life.give(attemptOf({ n, k, ...rest }, now))
    life.give({ ...failed(n, k, 'balance_too_low', now), includedIn: inLedgerAt(now).ledger })
  }
  return life
}

const untilUnsettled = (): Life => paying(unixMs(periodEnd + 7 * dayMs - minuteMs), () => 'no_rate')

/** Another price in 30 days, at 10.50 or 12 USD. */
const repricing = (at: UnixMs, amount: bigint): SubscriptionCommand => ({
  type: 'AnnouncePriceChange',
  priceChangeId: exampleId(PriceChangeId, 1),
  productId: monthly.productId,
  interval: 'month',
  price: { ...monthly.price, cents: cents(amount) },
  assetId: usdc,
  effectiveAt: at,
  withoutConsent: 'keep',
  scheduledAt: at,
  quote: stroops(amount * 100_000n),
  authorizationId: authorizationOf(7),
  at,
})
const told = (): Life => after(paying(on('2027-02-20')), repricing(on('2027-02-20'), 1_050n))

const toldAndPaid = (): Life => {
  const life = told()
  life.pass(unixMs(on('2027-03-31') - minuteMs))
  return life
}

/** Every state that answers some command in a way of its own. */
export const situations: Readonly<Record<string, Situation>> = {
  absent: { state: Subscription.decider.initial, now: began },
  'in a trial': at(trying(on('2027-02-11T11:59:00')), on('2027-02-11')),
  'trial over': at(trying(on('2027-02-14T11:59:00')), on('2027-02-14')),
  'in a paid period': at(paying(on('2027-02-25T11:59:00')), on('2027-02-25')),
  'told of a new price': situation(told()),
  'new price due': at(toldAndPaid(), on('2027-03-31')),
  'approval running out': at(paying(on('2027-06-30T11:59:00')), on('2027-06-30')),
  'period over': at(paying(unixMs(periodEnd - minuteMs)), periodEnd),
  'charge under way': situation(paying(periodEnd, () => 'unknown')),
  'charge unknown for a day': at(
    paying(periodEnd, () => 'unknown'),
    unixMs(periodEnd + dayMs),
  ),
  'to be canceled': situation(after(paidUp(), canceling)),
  'end reached': at(after(paidUp(), canceling), periodEnd),
  'revoked by the customer': situation(revoked()),
  'asked for a new mandate': situation(awake(revoked())),
  'waiting for a retry': situation(unpaid()),
  'retry due': at(unpaid(), on('2027-03-06')),
  'last retry ahead': at(paying(on('2027-03-12'), noMoney), on('2027-03-14')),
  'attempts stopped': situation(tooMany()),
  'week without a rate': at(untilUnsettled(), unixMs(periodEnd + 7 * dayMs + hourMs)),
  'invoiced without a rate': situation(paying(on('2027-03-08'), () => 'no_rate')),
  'hard cause': situation(paying(on('2027-03-01'), () => 'no_trustline')),
  'retries over': at(lastRetryFailed(), on('2027-03-14T12:02:00')),
  overdue: situation(owing()),
  'unpaid for long': at(owing(), on('2027-04-01')),
  'invoice paid': situation(after(owing(), settled(1, on('2027-03-16')))),
  'paused in a paid period': situation(pausedAt(paidUp())),
  'paused in a trial': situation(pausedAt(trying(on('2027-02-10')))),
  'paused with nothing paid': situation(pausedAt(unpaid())),
  'paused with an invoice': situation(pausedAt(owing())),
  'paused after its end': at(after(pausedAt(paidUp()), canceling), periodEnd),
  resuming: situation(resuming()),
  'resuming, charge under way': situation(awake(resuming(), () => 'unknown')),
  'resuming refused': situation(resumingRefused()),
  canceled: situation(after(paidUp(), { ...canceling, when: 'now' })),
  'canceled, charge under way': situation(
    after(
      paying(periodEnd, () => 'unknown'),
      { ...canceling, when: 'now', at: periodEnd },
    ),
  ),
}

const swap = ({ now }: Situation, cheaperBy: bigint): SubscriptionCommand => ({
  type: 'SwapProduct',
  terms: { ...monthly, priceVersion: positiveCount(2) },
  assetId: usdc,
  quote: stroops(110_000_000n - cheaperBy),
  authorizationId: authorizationOf(7),
  at: now,
})

/** A command of each type, with those of its variants that matter, as it would be given in a situation. */
export const commandsIn = (where: Situation): Readonly<Record<string, SubscriptionCommand>> => {
  const { state, now } = where
  const isAbsent = state.status === 'absent'
  const last = isAbsent ? undefined : state.attempts.at(-1)
  const [n, k] = [last?.n ?? count(1), last?.k ?? count(0)]
  const charge = isAbsent
    ? { n, k, period: { start: now, end: now }, why: 'renewal' as const, forgiven: null }
    : chargeAt(state, now)
  const mandate = mandateOf(500, monthly, began)
  const { mandateId } = mandate
  const requested = isAbsent ? null : state.authorization.requested
  const authorizationId = requested?.authorizationId ?? authorizationOf(1)
  const ahead = { at: now, authorizationId: authorizationOf(8), problem: null }
  const unsettled = (ratesAfter: RatesAfter): SubscriptionCommand => ({
    type: 'EndUnsettled',
    at: now,
    n: charge.n,
    cause: 'no_rate',
    invoiceId: invoiceOf(charge.n),
    policy: { ...policy, ratesAfter },
  })
  return {
    StartSubscription: { type: 'StartSubscription', ...begun(began, { terms: yearly }) },
    AnnounceTrialEnd: { type: 'AnnounceTrialEnd', ...ahead },
    'AnnounceTrialEnd, with a hard cause': { type: 'AnnounceTrialEnd', ...ahead, problem: 'no_trustline' },
    AnnounceRenewal: { type: 'AnnounceRenewal', n: count(1), ...ahead },
    'AnnounceRenewal, with a hard cause': {
      type: 'AnnounceRenewal',
      n: count(1),
      ...ahead,
      problem: 'no_trustline',
    },
    AttemptCharge: attemptOf(charge, now),
    HandOverCharge: { type: 'HandOverCharge', paymentId: paymentOf(n, k), at: now },
    ConfirmCharge: confirmed(n, k, now),
    'FailCharge, for want of money': failed(n, k, 'balance_too_low', now),
    'FailCharge, for a hard cause': failed(n, k, 'allowance_too_low', now),
    'FailCharge, for a technical cause': failed(n, k, 'transaction_dead', now),
    DelayCharge: { type: 'DelayCharge', n: charge.n, cause: 'no_rate', at: now, jitter: 0 },
    EndUnsettled: unsettled('invoice'),
    'EndUnsettled, to pause': unsettled('pause'),
    AllowAttempts: allowed(now),
    AlarmOperator: { type: 'AlarmOperator', cause: 'outcome_unknown', at: now },
    RequestRetry: { type: 'RequestRetry', cause: 'funded', at: now },
    EndAccess: { type: 'EndAccess', at: now },
    GiveFinalNotice: { type: 'GiveFinalNotice', at: now },
    BecomeOverdue: { type: 'BecomeOverdue', invoiceId: invoiceOf(1), at: now },
    SettleInvoice: { ...settled(1, now), paymentId: paymentOf(900, 0) },
    CancelUnpaid: { type: 'CancelUnpaid', at: now, policy },
    Pause: { type: 'Pause', at: now },
    Resume: { type: 'Resume', at: now },
    Cancel: { type: 'Cancel', when: 'period_end', at: now },
    'Cancel, now': { type: 'Cancel', when: 'now', at: now },
    CancelForDeletedCustomer: { type: 'CancelForDeletedCustomer', at: now },
    EndWithNetwork: { type: 'EndWithNetwork', at: now },
    UndoCancellation: { type: 'UndoCancellation', at: now },
    EndAtBoundary: { type: 'EndAtBoundary', at: now },
    RecordMandateCancellation: { type: 'RecordMandateCancellation', mandateId, at: now },
    'RecordMandateEnd, by the customer': { type: 'RecordMandateEnd', mandateId, by: 'customer', ...inLedgerAt(now) },
    'RecordMandateEnd, by the operator': { type: 'RecordMandateEnd', mandateId, by: 'operator', ...inLedgerAt(now) },
    RequestAuthorization: { type: 'RequestAuthorization', authorizationId: authorizationOf(9), at: now },
    ChangeWallet: { type: 'ChangeWallet', authorizationId: authorizationOf(9), at: now },
    RequestMigration: {
      type: 'RequestMigration',
      authorizationId: authorizationOf(9),
      mandateId: isAbsent ? mandateId : state.authorization.mandate.mandateId,
      at: now,
    },
    OfferAuthorization: { type: 'OfferAuthorization', authorizationId, contract: contractOf(9), at: now },
    WithdrawMigration: { type: 'WithdrawMigration', at: now },
    ReplaceMandate: {
      type: 'ReplaceMandate',
      authorizationId,
      mandate: { ...mandate, mandateId: decoded(MandateId, hashOf(501)) },
      ...inLedgerAt(now),
    },
    RecordAllowance: {
      type: 'RecordAllowance',
      mandateId,
      approval: { ...mandate.approval, approvedAt: now, expiresAt: unixMs(now + 180 * dayMs) },
    },
    AnnounceExpiry: { type: 'AnnounceExpiry', at: now },
    SwapProduct: swap(where, 1n),
    'SwapProduct, above the cap': swap(where, -1n),
    AnnouncePriceChange: repricing(now, 1_050n),
    'AnnouncePriceChange, above the cap': repricing(now, 1_200n),
    ApplyPriceChange: {
      type: 'ApplyPriceChange',
      priceChangeId: exampleId(PriceChangeId, 1),
      quote: stroops(105_000_000n),
      at: now,
    },
    DropPriceChange: { type: 'DropPriceChange', priceChangeId: exampleId(PriceChangeId, 1), at: now },
    ChangeMetadata: { type: 'ChangeMetadata', metadata: { plan: 'x' } },
  }
}
