import type { SubscriptionEvent, UnixMs } from '@quittance/domain'
import { cents, PriceChangeId, stroops, unixMs } from '@quittance/domain'
import { contractOf, exampleId, usdc } from '@quittance/domain/testing'
import {
  authorizationOf,
  begun,
  dayMs,
  dearer,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  settled,
  yearly,
} from '@quittance/domain/testing/subscription-examples'
import { type ChargeEnd, type Life, lifeOf } from '@quittance/domain/testing/subscription-life'
import fc from 'fast-check'

type Act = (life: Life) => void

const ends: ReadonlyArray<ChargeEnd> = [
  'confirmed',
  'confirmed',
  'confirmed',
  'balance_too_low',
  'allowance_expired',
  'not_sent',
  'no_rate',
]

const passing = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.array(fc.constantFrom(...ends), { minLength: 1 })).map(
  ([days, order]): Act =>
    (life) => {
      let charges = 0
      life.pass(unixMs(life.now + days * dayMs), () => order[charges++ % order.length] ?? 'confirmed')
    },
)

const swapTo =
  (terms: typeof monthly): Act =>
  (life) =>
    void life.give({
      type: 'SwapProduct',
      terms,
      assetId: usdc,
      quote: stroops(terms === dearer ? 120_000_000n : 100_000_000n),
      authorizationId: authorizationOf(900 + life.history.length),
      at: life.now,
    })

/** Away for longer than is paid for: going on begins with a charge. */
const interrupted = fc.constantFrom(...ends).map(
  (end): Act =>
    (life) => {
      life.give({ type: 'Pause', at: life.now })
      life.pass(unixMs(life.now + 40 * dayMs))
      life.give({ type: 'Resume', at: life.now })
      life.pass(unixMs(life.now + dayMs), () => end)
    },
)

/** A new price in 30 days, which the mandate allows or does not. */
const announcing =
  (amount: bigint): Act =>
  (life) =>
    void life.give({
      type: 'AnnouncePriceChange',
      priceChangeId: exampleId(PriceChangeId, life.history.length),
      productId: monthly.productId,
      interval: 'month',
      price: { ...monthly.price, cents: cents(amount) },
      assetId: usdc,
      effectiveAt: life.now,
      withoutConsent: amount % 100n === 0n ? 'cancel' : 'keep',
      scheduledAt: life.now,
      quote: stroops(amount * 100_000n),
      authorizationId: authorizationOf(900 + life.history.length),
      at: life.now,
    })

const asked: ReadonlyArray<Act> = [
  (life) => void life.give({ type: 'Pause', at: life.now }),
  (life) => void life.give({ type: 'Resume', at: life.now }),
  (life) => void life.give({ type: 'Cancel', when: 'period_end', at: life.now }),
  (life) => void life.give({ type: 'UndoCancellation', at: life.now }),
  (life) => void life.give({ type: 'RequestRetry', cause: 'demand', at: life.now }),
  (life) => void life.give({ type: 'ChangeMetadata', metadata: { changes: life.history.length } }),
  (life) => void life.give(settled(life.state.invoices.at(-1)?.invoice.n ?? 0, life.now)),
  (life) => {
    const { mandateId } = life.state.authorization.mandate
    life.give({ type: 'RecordMandateEnd', mandateId, by: 'customer', ...inLedgerAt(life.now, 3) })
  },
  (life) => {
    const { requested } = life.state.authorization
    const terms = life.state.pendingSwap?.terms ?? life.state.terms
    const mandate = mandateOf(600 + life.history.length, terms, life.now)
    const accepts = life.state.priceChange?.priceChangeId
    if (requested === null) return
    life.give({
      type: 'ReplaceMandate',
      authorizationId: requested.authorizationId,
      mandate,
      ...(accepts === undefined ? {} : { accepts }),
      ...inLedgerAt(life.now, 4),
    })
  },
  (life) => {
    const { mandateId, approval } = life.state.authorization.mandate
    life.give({ type: 'RecordAllowance', mandateId, approval: { ...approval, approvedAt: life.now } })
  },
  (life) => {
    const { mandateId } = life.state.authorization.mandate
    const authorizationId = authorizationOf(900 + life.history.length)
    life.give({ type: 'RequestMigration', authorizationId, mandateId, at: life.now })
  },
  (life) => {
    const { requested } = life.state.authorization
    if (requested === null) return
    const { authorizationId } = requested
    const contract = contractOf(life.history.length % 256)
    life.give({ type: 'OfferAuthorization', authorizationId, contract, at: life.now })
  },
  (life) => void life.give({ type: 'WithdrawMigration', at: life.now }),
  announcing(1_050n),
  announcing(1_200n),
  (life) => {
    const { priceChangeId } = life.state.priceChange ?? {}
    if (priceChangeId !== undefined) life.give({ type: 'DropPriceChange', priceChangeId, at: life.now })
  },
  swapTo(monthly),
  swapTo(dearer),
  swapTo(yearly),
]

/** Ends a life now and then, so that most of them go on. */
const canceling: Act = (life) => void life.give({ type: 'Cancel', when: 'now', at: life.now })

/** The events of a subscription, with the moment of each. */
export type DatedEvents = ReadonlyArray<{ readonly event: SubscriptionEvent; readonly at: UnixMs }>

/** The months of a subscription, with and without a trial: what its worker does, and what others ask of it meanwhile. */
export const anyLife: fc.Arbitrary<DatedEvents> = fc
  .tuple(
    fc.constantFrom(0, 2, 14),
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: passing },
        { weight: 12, arbitrary: fc.constantFrom(...asked) },
        { weight: 2, arbitrary: interrupted },
        { weight: 1, arbitrary: fc.constant(canceling) },
      ),
      { minLength: 3, maxLength: 16 },
    ),
  )
  .map(([trialDays, acts]) => {
    const life = lifeOf(begun(on('2027-01-31'), { trialDays }))
    for (const act of acts) act(life)
    let at = unixMs(0)
    return life.history.map((event) => {
      at = unixMs(Math.max(at, momentOf(event)))
      return { event, at }
    })
  })

const momentOf = ({ data }: SubscriptionEvent): number => {
  if ('at' in data) return data.at
  if ('closedAt' in data) return data.closedAt
  if ('failedAt' in data) return data.failedAt
  if ('canceledAt' in data) return data.canceledAt
  if ('approval' in data) return data.approval.approvedAt
  return 'details' in data ? data.details.startedAt : 0
}
