import fc from 'fast-check'
import type { Policy } from '../merchant/index.ts'
import { cents } from '../shared/cents.ts'
import { PriceChangeId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { count, hourMs, minuteMs, positiveCount, secondMs, unixMs } from '../shared/units.ts'
import type { DelayCause } from '../subscription/causes.ts'
import {
  type FailureCause,
  nextPeriodStart,
  type SubscriptionCommand,
  type SubscriptionDetails,
} from '../subscription/index.ts'
import { contractOf } from './account.ts'
import { record, recordWith } from './arbitraries.ts'
import { exampleId, usdc } from './examples.ts'
import {
  allowed,
  authorizationOf,
  begun,
  confirmed,
  daily,
  dayMs,
  dearer,
  failed,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  policy,
  settled,
  yearly,
} from './subscription-examples.ts'
import { type ChargeEnd, type Life, lifeOf } from './subscription-life.ts'

const one = fc.constantFrom

/** One thing that happens to a subscription. */
export type Happening = {
  readonly _tag: string
  readonly happen: (life: Life) => void
}

const weekly = { ...monthly, interval: 'week' } as const
const anyDetails: fc.Arbitrary<SubscriptionDetails> = record({
  day: one('2027-01-28', '2027-01-29', '2027-01-30', '2027-01-31', '2028-01-31', '2027-03-15'),
  trialDays: one(0, 0, 1, 2, 14, 30),
  terms: one(monthly, monthly, yearly, weekly, daily),
}).map(({ day, trialDays, terms }) => begun(on(day), { trialDays, terms }))

const anyPolicy: fc.Arbitrary<Policy> = recordWith(
  {
    accessGraceDays: one(count(0), count(2)),
    dunningScheduleHours: one(policy.dunningScheduleHours, [], [positiveCount(1)]),
    afterRetries: one('overdue' as const, 'overdue' as const, 'cancel' as const),
    underpaymentTolerance: one(stroops(0n)),
  },
  { ratesAfter: one('charge_at_peg' as const, 'invoice' as const, 'pause' as const) },
)

const causes: ReadonlyArray<FailureCause> = [
  'balance_too_low',
  'balance_too_low',
  'allowance_too_low',
  'mandate_ended',
  'no_trustline',
  'not_sent',
  'transaction_dead',
]
const delays: ReadonlyArray<DelayCause> = ['no_rate', 'no_node']
const anyEnds: fc.Arbitrary<ReadonlyArray<ChargeEnd>> = fc.array(
  one<ChargeEnd>('confirmed', 'confirmed', 'confirmed', 'unknown', ...causes, ...delays),
  { minLength: 1, maxLength: 5 },
)
const anySpan = one(0, secondMs, minuteMs, 20 * minuteMs, 2 * hourMs, dayMs, 3 * dayMs, 8 * dayMs, 29 * dayMs)

const byTurns = <A>(things: ReadonlyArray<A>, otherwise: A) => {
  let turn = 0
  return (): A => things[turn++ % things.length] ?? otherwise
}

/** Time passes, with a worker awake or away; charges end as they come, one after the other. */
const anyTime: fc.Arbitrary<Happening> = record({ span: anySpan, ends: anyEnds, isAway: fc.boolean() }).map(
  ({ span, ends, isAway }) => ({
    _tag: `${isAway ? 'away' : 'awake'} for ${span / hourMs} h, ${ends.join()}`,
    happen: (life) =>
      (isAway ? life.wakeAt : life.pass)(
        unixMs(life.now + span * (isAway ? 3 : 1)),
        byTurns<ChargeEnd>(ends, 'confirmed'),
      ),
  }),
)

const asked = (make: (life: Life) => SubscriptionCommand | null): Happening => ({
  _tag: `asked: ${make}`,
  happen: (life) => {
    const command = make(life)
    if (command !== null) life.give(command)
  },
})

const mandateEnd = (life: Life, by: 'customer' | 'operator'): SubscriptionCommand => ({
  type: 'RecordMandateEnd',
  mandateId: life.state.authorization.mandate.mandateId,
  by,
  ...inLedgerAt(life.now, 3),
})

const anyAsked: fc.Arbitrary<Happening> = one(
  asked(({ now }) => ({ type: 'Pause', at: now })),
  asked(({ now }) => ({ type: 'Resume', at: now })),
  asked(({ now }) => ({ type: 'Resume', at: now })),
  asked(({ now }) => ({ type: 'Cancel', when: 'period_end', at: now })),
  asked(({ now }) => ({ type: 'UndoCancellation', at: now })),
  asked(({ now }) => ({ type: 'UndoCancellation', at: now })),
  asked(({ now }) => ({ type: 'RequestRetry', cause: 'demand', at: now })),
  asked(({ now }) => allowed(now)),
  asked((life) => mandateEnd(life, 'customer')),
  asked((life) => {
    const { mandate } = life.state.authorization
    const approval = {
      ...mandate.approval,
      approvedAt: life.now,
      allowance: stroops(BigInt(life.now % 2) * 900_000_000n),
    }
    return { type: 'RecordAllowance', mandateId: mandate.mandateId, approval }
  }),
  asked(({ now, state, history }) => ({
    type: 'RequestMigration',
    authorizationId: authorizationOf(history.length),
    mandateId: state.authorization.mandate.mandateId,
    at: now,
  })),
  asked(({ now, state, history }) => ({
    type: 'OfferAuthorization',
    authorizationId: state.authorization.requested?.authorizationId ?? authorizationOf(history.length),
    contract: contractOf(history.length % 3),
    at: now,
  })),
  asked(({ now }) => ({ type: 'WithdrawMigration', at: now })),
  ...[monthly, dearer, yearly].map((terms) =>
    asked(({ now, history }) => ({
      type: 'SwapProduct',
      terms,
      assetId: usdc,
      quote: stroops(terms === dearer ? 120_000_000n : 100_000_000n),
      authorizationId: authorizationOf(history.length),
      at: now,
    })),
  ),
  ...[cents(1_050n), cents(1_200n)].map((amount) =>
    asked(({ now, history }) => ({
      type: 'AnnouncePriceChange',
      priceChangeId: exampleId(PriceChangeId, history.length),
      productId: monthly.productId,
      interval: 'month',
      price: { ...monthly.price, cents: amount },
      assetId: usdc,
      effectiveAt: now,
      withoutConsent: amount === 1_200n ? 'cancel' : 'keep',
      scheduledAt: now,
      quote: stroops(amount * 100_000n),
      authorizationId: authorizationOf(history.length),
      at: now,
    })),
  ),
  asked(({ now, state }) => {
    const { priceChangeId } = state.priceChange ?? {}
    return priceChangeId === undefined ? null : { type: 'DropPriceChange', priceChangeId, at: now }
  }),
  asked(({ now, state, history }) => {
    const { requested } = state.authorization
    if (requested === null) return null
    const { authorizationId } = requested
    const terms = state.pendingSwap?.authorizationId === authorizationId ? state.pendingSwap.terms : state.terms
    const mandate = { ...mandateOf(600 + history.length, terms, now), firstChargeAt: nextPeriodStart(state) }
    const accepts = state.priceChange === undefined ? {} : { accepts: state.priceChange.priceChangeId }
    return { type: 'ReplaceMandate', authorizationId, mandate, ...accepts, ...inLedgerAt(now, 4) }
  }),
)
const anyEnding: fc.Arbitrary<Happening> = one(
  asked(({ now }) => ({ type: 'Cancel', when: 'now', at: now })),
  asked(({ now }) => ({ type: 'CancelForDeletedCustomer', at: now })),
  asked((life) => mandateEnd(life, 'operator')),
)

/** What the ledger tells: the end of an attempt under way, that one given up has landed, or that an invoice was paid. */
const anyNews: fc.Arbitrary<Happening> = one(
  asked(({ now, state }) => {
    const last = state.attempts.at(-1)
    return last === undefined ? null : confirmed(last.n, last.k, now)
  }),
  asked(({ now, state, policy: itsPolicy }) => {
    const last = state.attempts.findLast(({ status }) => status === 'under_way')
    return last === undefined ? null : { ...failed(last.n, last.k, 'balance_too_low', now), policy: itsPolicy }
  }),
  asked(({ now, state }) => {
    const dead = state.attempts.find(({ status }) => status === 'failed')
    return dead === undefined ? null : confirmed(dead.n, dead.k, now)
  }),
  asked(({ now, state }) => {
    const invoice = state.invoices.at(-1)?.invoice
    return invoice === undefined ? null : settled(invoice.n, now)
  }),
)

/** What simulations find wrong, one after the other: mostly nothing. */
const anyPreflights = fc.array(
  one<FailureCause | null>(null, null, 'balance_too_low', 'allowance_too_low', 'no_trustline'),
  {
    minLength: 1,
    maxLength: 4,
  },
)

/** Any life of a subscription, as it has been lived. */
export const anyLife = record({
  details: anyDetails,
  policy: anyPolicy,
  foreseen: anyPreflights,
  happenings: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: anyTime },
      { weight: 5, arbitrary: anyAsked },
      { weight: 3, arbitrary: anyNews },
      { weight: 1, arbitrary: anyEnding },
    ),
    { maxLength: 25, size: 'max' },
  ),
})

/** Lives it, and looks after each thing that happens. */
export const live = (
  {
    details,
    policy: itsPolicy,
    foreseen = [],
    happenings,
  }: {
    details: SubscriptionDetails
    policy: Policy
    foreseen?: ReadonlyArray<FailureCause | null>
    happenings: ReadonlyArray<Happening>
  },
  look: (life: Life) => void = () => {},
): Life => {
  const life = lifeOf(details, itsPolicy, byTurns(foreseen, null))
  for (const { happen } of happenings) {
    happen(life)
    look(life)
  }
  return life
}
