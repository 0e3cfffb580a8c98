import {
  accountName,
  dayMs,
  type EventType,
  hourMs,
  type RecordedEvent,
  Subscription,
  type SubscriptionEvent,
  SubscriptionId,
  type SubscriptionState,
} from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import fc from 'fast-check'
import { subscriptions } from '../subscriptions.ts'
import { anyLife, type DatedEvents } from '../testing/any-life.ts'
import { documented } from '../testing/documented.ts'
import { recallFrom } from './memory.ts'
import { publicEventTable } from './public-event-row.ts'
import { subscriptionPublisher } from './subscription-facts.ts'

const id = exampleId(SubscriptionId, 1)
const { evolve, initial } = Subscription.decider

/** The events of a life, each with the state that it makes, its public events, and those of the access that it gives. */
const lived = (life: DatedEvents) => {
  const memory = new Map<string, string | null>()
  const recall = recallFrom((name) => memory.get(name) ?? null)
  let state: SubscriptionState = initial
  return life.map(({ event, at }, revision) => {
    const { drafts, kept } = subscriptionPublisher(recordedAs(event, at, revision), id, recall)
    for (const { name, text } of kept) memory.set(name, text)
    state = evolve(state, event)
    const [access, own] = [
      drafts.filter(({ resourceId }) => resourceId !== id),
      drafts.filter((each) => each.resourceId === id),
    ]
    return { event, at, state, published: own.map(({ type }) => type), access }
  })
}
type Lived = ReturnType<typeof lived>
const forAnyLife = (check: (life: Lived) => void) =>
  fc.assert(
    fc.property(anyLife, (life) => check(lived(life))),
    { numRuns: 100 },
  )

const recordedAs = (event: SubscriptionEvent, occurredAt: number, revision: number): RecordedEvent => ({
  id: String(revision),
  stream: `subscription-${id}`,
  revision: BigInt(revision),
  position: BigInt(revision),
  ...Subscription.events.encodeEvent(event),
  metadata: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: '',
    correlationId: '',
    causationId: null,
    actor: 'test',
    occurredAt,
    previousHash: '',
    hash: '',
  },
  recordedAt: occurredAt,
})

/** Whether a state entitles at a moment, by the rules of access. */
const isEntitled = (state: SubscriptionState, at: number): boolean => {
  if (state.status === 'absent' || state.status === 'canceled') return false
  const { status, covered, collection, cancellation, stoppedUntil } = state
  if (status === 'paused') return covered.kind === 'paid' && at < covered.period.end
  if (collection._tag === 'current') {
    const undecidedMs = stoppedUntil === null ? 7 * dayMs : hourMs
    return at < covered.period.end + (cancellation === null ? undecidedMs : 0)
  }
  return collection.graceUntil !== null && at < collection.graceUntil
}

/** Whether it waits for nothing but a charge to go on. */
const isResuming = (state: SubscriptionState): boolean =>
  state.status === 'paused' && state.lifecycle._tag === 'paused' && state.lifecycle.resuming !== null

describe('the public events of a subscription', () => {
  it('is one type for one fact, and one that the table for people names for it', () =>
    forAnyLife((life) => {
      for (const { event, published } of life) {
        expect(published.length).toBeLessThanOrEqual(1)
        const rows = documented.filter(({ fact, type }) => fact === event.type && type.startsWith('subscription.'))
        expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(published))
        for (const { type, isAlways } of rows) if (isAlways) expect(published).toEqual([type])
      }
    }))

  it('never says two things of one period that cannot allOf be', () =>
    forAnyLife((life) => {
      const paid = new Set<number>()
      let [isOwed, failing, isActivated] = [false, -1, false]
      const steps: Readonly<Partial<Record<EventType, (event: SubscriptionEvent) => void>>> = {
        'subscription.past_due': (event) => {
          expect(isOwed).toBe(event.type === 'FinalNoticeGiven')
          if (event.type === 'ChargeFailed') failing = event.data.n
          expect(paid.has(failing)).toBe(false)
          isOwed = true
        },
        // What no attempt could settle is invoiced without a refusal before.
        'subscription.overdue': (event) => {
          if (event.type === 'BecameOverdue' && event.data.unsettled !== undefined) isOwed = true
          expect(isOwed).toBe(true)
        },
        'subscription.recovered': () => {
          expect(isOwed).toBe(true)
          isOwed = false
        },
        'subscription.activated': () => {
          expect([isOwed, isActivated]).toEqual([false, false])
          isActivated = true
        },
        'subscription.renewed': () => expect(isOwed).toBe(false),
        'subscription.resumed': () => {
          isOwed = false
        },
      }
      for (const [index, { event, state, published }] of life.entries()) {
        for (const type of published) steps[type]?.(event)
        if (event.type !== 'ChargeConfirmed' && event.type !== 'InvoiceSettled') continue
        const { n } = event.data
        expect(paid.has(n)).toBe(false)
        paid.add(n)
        const waits = isResuming(state)
        expect(published).toHaveLength(waits ? 0 : 1)
        if (waits) expect(life[index + 1]?.published).toEqual(['subscription.resumed'])
      }
    }))

  it('end with its cancellation, except for changes', () =>
    forAnyLife((life) => {
      const end = life.findIndex(({ published }) => published.includes('subscription.canceled'))
      const later = end < 0 ? [] : life.slice(end + 1).flatMap(({ published }) => published)
      expect(later.filter((type) => type !== 'subscription.updated')).toEqual([])
    }))

  it('is access where it begins and ends, or with the next fact where time alone has ended it', () =>
    forAnyLife((life) => {
      let open: string | null = null
      for (const { state, at, access } of life) {
        if (state.status === 'absent') throw new Error('it has begun')
        const of = { customerId: state.details.customerId, productId: state.terms.productId }
        const account = isEntitled(state, at) ? accountName(of) : null
        const expected = [
          ...(open !== null && open !== account ? [['access.revoked', open]] : []),
          ...(account !== null && open !== account ? [['access.granted', account]] : []),
        ]
        expect(access.map(({ type, resourceId }) => [type, resourceId])).toEqual(expected)
        open = account
      }
    }))

  it('comes in every type that there is', () => {
    const seen = new Set<string>()
    for (const life of fc.sample(anyLife, { numRuns: 300, seed: 20_261_120 })) {
      for (const { published } of lived(life)) for (const type of published) seen.add(type)
    }
    const types = documented.map(({ type }) => type).filter((type) => type.startsWith('subscription.'))
    expect([...new Set(types)].filter((type) => !seen.has(type))).toEqual([])
  })
})

describe('what is remembered of a subscription', () => {
  it('is its row, so that a new version of the one comes with a new version of the other', () =>
    expect({ subscriptions: subscriptions.version, publicEvents: publicEventTable.version }).toEqual({
      subscriptions: 7,
      publicEvents: 6,
    }))
})
