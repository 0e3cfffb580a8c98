import * as E from 'fp-ts/lib/Either.js'
import { stroops } from '../shared/stroops.ts'
import { secondMs, type UnixMs, unixMs } from '../shared/units.ts'
import { DelayCause } from '../subscription/causes.ts'
import {
  dueAt,
  type FailureCause,
  hasFailedUnsettled,
  type NextCharge,
  nextStep,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionDetails,
  type SubscriptionEvent,
  type SubscriptionRejection,
  type SubscriptionState,
  type SubscriptionStep,
  withoutRate,
} from '../subscription/index.ts'
import {
  attemptOf,
  authorizationOf,
  confirmed,
  failed,
  invoiceOf,
  policy as usualPolicy,
} from './subscription-examples.ts'

const { initial, decide, evolve } = Subscription.decider

/** How a charge ends: `unknown` leaves it under way, and a delay cause has it not made at all. */
export type ChargeEnd = 'confirmed' | 'unknown' | FailureCause | DelayCause
/** Says of each charge that falls due how it ends. */
export type Ends = (charge: NextCharge, now: UnixMs) => ChargeEnd

/** Says of each charge that is announced what a simulation finds wrong with it. */
export type Preflight = (now: UnixMs) => FailureCause | null

/**
 * A subscription as its worker lives it: it does what is next to be done, whenever that is due, until there is nothing.
 * `history` holds what came of it,
 * `accepted` each command that was, with the state it made. A step that changes nothing throws: it would be asked for again for ever.
 */
export const lifeOf = (details: SubscriptionDetails, policy = usualPolicy, preflight: Preflight = () => null) => {
  let state: SubscriptionState = initial
  let now = details.startedAt
  const history: SubscriptionEvent[] = []
  const accepted: { readonly command: SubscriptionCommand; readonly state: SubscriptionState }[] = []

  /** Gives a command; the rejection, if it is one. */
  const give = (command: SubscriptionCommand): SubscriptionRejection | null => {
    const decision = decide(command)(state)
    if (E.isLeft(decision)) return decision.left
    state = decision.right.reduce(evolve, state)
    history.push(...decision.right)
    accepted.push({ command, state })
    return null
  }

  const commandFor = (step: SubscriptionStep, ends: Ends): SubscriptionCommand | null => {
    const terms = state.status === 'absent' ? undefined : state.terms
    const authorizationId = authorizationOf(history.length)
    switch (step._tag) {
      case 'nothing':
        return null
      case 'end_at_boundary':
        return { type: 'EndAtBoundary', at: now }
      case 'hand_over_charge':
        return { type: 'HandOverCharge', paymentId: step.attempt.paymentId, at: now }
      case 'withdraw_charge':
        return { ...failed(step.attempt.n, step.attempt.k, step.refusal ?? 'not_sent', now), policy }
      case 'become_overdue':
        return { type: 'BecomeOverdue', invoiceId: invoiceOf(step.n), at: now }
      case 'cancel_unpaid':
        return { type: 'CancelUnpaid', at: now, policy }
      case 'end_access':
        return { type: 'EndAccess', at: now }
      case 'give_final_notice':
        return { type: 'GiveFinalNotice', at: now }
      case 'apply_price_change': {
        const { priceChangeId, price } = step.priceChange
        // As in `attemptOf`: 10 USDC for 10 USD.
        return { type: 'ApplyPriceChange', priceChangeId, quote: stroops(price.cents * 100_000n), at: now }
      }
      case 'attempt_charge': {
        const end = ends(step.charge, now)
        const { n } = step.charge
        if (state.status !== 'absent' && hasFailedUnsettled(state))
          return { type: 'EndUnsettled', at: now, n, cause: 'charge_failed', invoiceId: invoiceOf(n), policy }
        if (end !== 'cause_stands' && DelayCause.is(end)) return unpriced(step.charge, end)
        return attemptOf(step.charge, now, terms)
      }
      case 'look_at_cause': {
        const end = ends(step.charge, now)
        const isCured = end === 'confirmed' || end === 'unknown' || end === 'balance_too_low'
        if (isCured) return attemptOf(step.charge, now, terms)
        const cause = DelayCause.is(end) ? end : 'cause_stands'
        return { type: 'DelayCharge', at: now, n: step.charge.n, cause, jitter: 0 }
      }
      case 'request_authorization':
        return { type: 'RequestAuthorization', authorizationId, at: now }
      case 'announce_trial_end':
        return { type: 'AnnounceTrialEnd', at: now, problem: preflight(now), authorizationId }
      case 'announce_renewal':
        return { type: 'AnnounceRenewal', at: now, n: step.n, problem: preflight(now), authorizationId }
      case 'announce_expiry':
        return { type: 'AnnounceExpiry', at: now }
      case 'cancel_mandate':
        return { type: 'RecordMandateCancellation', mandateId: step.mandateId, at: now }
      case 'alarm_operator':
        return { type: 'AlarmOperator', cause: step.cause, at: now }
    }
  }

  /** What becomes of a charge that cannot be priced: it waits, or after a week follows the policy. */
  const unpriced = (charge: NextCharge, cause: Exclude<DelayCause, 'cause_stands'>): SubscriptionCommand => {
    const { n } = charge
    if (state.status === 'absent') throw new Error('it did not begin')
    const { mayBeAgreed, isEnded } = withoutRate(state, policy, now, 'no_rate')
    if (mayBeAgreed) return { ...attemptOf(charge, now, state.terms), rates: [], agreedRates: [] }
    if (isEnded) return { type: 'EndUnsettled', at: now, n, cause: 'no_rate', invoiceId: invoiceOf(n), policy }
    return { type: 'DelayCharge', at: now, n, cause, jitter: 0 }
  }

  /** What the ledger makes of a charge that was handed over, five seconds later. */
  const settle = (charge: NextCharge, end: ChargeEnd): void => {
    if (end === 'unknown') return
    now = unixMs(now + 5 * secondMs)
    const { n, k } = charge
    const isDelay = DelayCause.is(end)
    const rejection = give(
      end === 'confirmed' || isDelay ? confirmed(n, k, now) : { ...failed(n, k, end, now), policy },
    )
    if (rejection !== null) throw new Error(`${end} was rejected as ${rejection._tag}`)
  }

  /** Does one step; false when there was nothing to do. */
  const step = (ends: Ends): boolean => {
    const due = nextStep(state, now, policy)
    const command = commandFor(due, ends)
    if (command === null) return false
    const before = history.length
    const rejection = give(command)
    if (rejection !== null || history.length === before) {
      throw new Error(`${due._tag} came to ${rejection?._tag ?? 'nothing'} at ${new Date(now).toISOString()}`)
    }
    if (due._tag === 'hand_over_charge') {
      const { n, k, period, why } = due.attempt
      const charge = { n, k, period, why, forgiven: null }
      settle(charge, ends(charge, now))
    }
    return true
  }

  const confirmAll: Ends = () => 'confirmed'

  /** Sleeps until a moment, then works until there is nothing to be done: the worker was away all that time. */
  const wakeAt = (at: UnixMs, ends: Ends = confirmAll): void => {
    now = unixMs(Math.max(now, at))
    for (let steps = 0; step(ends); steps++)
      if (steps > 1000) throw new Error(`it never comes to an end: ${history.slice(-9).map(({ type }) => type)}`)
  }

  /** Lets time pass until a moment, and works whenever something falls due. */
  const pass = (until: UnixMs, ends: Ends = confirmAll): void => {
    for (;;) {
      const due = dueAt(state)
      if (due === null || due > until) break
      wakeAt(due, ends)
    }
    now = unixMs(Math.max(now, until))
  }

  give({ type: 'StartSubscription', ...details })
  return {
    give,
    pass,
    wakeAt,
    history,
    accepted,
    policy,
    get now() {
      return now
    },
    get state() {
      if (state.status === 'absent') throw new Error('it did not begin')
      return state
    },
    typesSince: (length: number) => history.slice(length).map(({ type }) => type),
  }
}
export type Life = ReturnType<typeof lifeOf>
