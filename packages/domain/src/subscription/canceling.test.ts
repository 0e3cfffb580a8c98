import { unixMs } from '../shared/units.ts'
import { scenario } from '../testing/scenario.ts'
import {
  begun,
  confirmed,
  dayMs,
  failed,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { dueAt, Subscription } from './index.ts'

const { given } = scenario(Subscription.decider)
const boundary = on('2027-02-28')
const living = (until: number, ends?: Ends, trialDays = 0): Life => {
  const life = lifeOf(begun(on('2027-01-31'), { trialDays }))
  life.pass(unixMs(until), ends)
  return life
}
const cancel = (at: number) => ({ type: 'Cancel', when: 'period_end', at: unixMs(at) }) as const
const scheduled = (endsAt: number, at: number) => ({
  type: 'CancellationScheduled' as const,
  data: { reason: 'requested' as const, endsAt: unixMs(endsAt), at: unixMs(at) },
})
const canceled = (canceledAt: number, reason: 'requested' | 'revoked' = 'requested') => ({
  type: 'SubscriptionCanceled' as const,
  data: { reason, canceledAt: unixMs(canceledAt) },
})
const { mandateId } = mandateOf(500, monthly, boundary)

describe('canceling a subscription', () => {
  it('cancels at the end of the paid period, as of that moment, and charges nothing', () => {
    const life = living(on('2027-02-20'))
    given(life.history)
      .when(cancel(life.now))
      .then([scheduled(boundary, life.now)])
    life.give(cancel(life.now))
    expect(life.state.status).toBe('active')
    life.wakeAt(on('2027-03-09'))
    expect(life.history.slice(-2)).toEqual([
      canceled(boundary),
      { type: 'MandateCancellationSent', data: { mandateId, number: 1, at: on('2027-03-09') } },
    ])
  })
  it('cancels a trial at its end', () => {
    const life = living(on('2027-02-04'), undefined, 14)
    given(life.history)
      .when(cancel(life.now))
      .then([scheduled(on('2027-02-14'), life.now)])
  })
  it('cancels a paused subscription at the end of its paid time, or now if that has passed', () => {
    const life = living(on('2027-02-20'))
    life.give({ type: 'Pause', at: life.now })
    given(life.history)
      .when(cancel(boundary - 1))
      .then([scheduled(boundary, boundary - 1)])
    given(life.history)
      .when(cancel(boundary))
      .then([canceled(boundary)])
  })
  it('cancels a past due or overdue subscription now', () => {
    for (const until of [on('2027-03-05'), on('2027-03-16')]) {
      const life = living(until, () => 'balance_too_low')
      given(life.history)
        .when(cancel(until))
        .then([canceled(until)])
    }
  })
  it('a cancellation wins over a pause at the period boundary', () => {
    const life = living(on('2027-02-20'))
    life.give(cancel(life.now))
    life.give({ type: 'Pause', at: life.now })
    expect(dueAt(life.state)).toBe(boundary)
    given(life.history).when({ type: 'Resume', at: boundary }).rejects({ _tag: 'CancellationIsDue', endsAt: boundary })
    life.pass(boundary)
    expect(life.state.status).toBe('canceled')
  })
  it('a cancellation moves with a trial that is resumed', () => {
    const life = living(on('2027-02-04'), undefined, 14)
    life.give(cancel(life.now))
    life.give({ type: 'Pause', at: on('2027-02-05') })
    life.give({ type: 'Resume', at: on('2027-02-07') })
    expect(life.state.cancellation).toEqual({ reason: 'requested', endsAt: on('2027-02-16') })
  })
  it('a cancellation waits for a renewal on its way: to the end of that period if paid, else as of the last', () => {
    const paid = living(boundary, () => 'unknown')
    paid.give(cancel(boundary))
    expect(paid.history.at(-1)).toEqual(scheduled(boundary, boundary))
    paid.give(confirmed(1, 0, on('2027-02-28T12:02:00')))
    expect(paid.state).toMatchObject({ status: 'active', cancellation: { endsAt: on('2027-03-31') } })
    const unpaid = living(boundary, () => 'unknown')
    unpaid.give(cancel(boundary))
    unpaid.give(failed(1, 0, 'balance_too_low', on('2027-02-28T12:02:00')))
    expect(unpaid.state).toMatchObject({ status: 'active', failedPaymentCount: 0 })
    unpaid.wakeAt(on('2027-02-28T12:03:00'))
    expect(unpaid.state.lifecycle).toEqual({ _tag: 'canceled', at: boundary, reason: 'requested' })
  })
  it('can undo a cancellation before the boundary, and then renews', () => {
    const life = living(on('2027-02-20'))
    life.give(cancel(life.now))
    const last = unixMs(boundary - 1)
    given(life.history)
      .when({ type: 'UndoCancellation', at: last })
      .then([{ type: 'CancellationUndone', data: { at: last } }])
    given(life.history)
      .when({ type: 'UndoCancellation', at: boundary })
      .rejects({ _tag: 'CancellationIsDue', endsAt: boundary })
    life.give({ type: 'UndoCancellation', at: last })
    life.pass(on('2027-03-01'))
    expect(life.state).toMatchObject({ status: 'active', covered: { n: 1 } })
  })
  it('cancels the subscription of a deleted customer now, whatever is paid', () => {
    const life = living(on('2027-02-20'))
    given(life.history)
      .when({ type: 'CancelForDeletedCustomer', at: life.now })
      .then([{ type: 'SubscriptionCanceled', data: { reason: 'customer_deleted', canceledAt: life.now } }])
  })
})

describe('ending the mandate of a subscription', () => {
  const ended = (by: 'customer' | 'operator', at: number) =>
    ({ type: 'RecordMandateEnd', mandateId, by, ...inLedgerAt(unixMs(at)) }) as const
  it('treats a mandate ended by the customer as a cancellation, which only a new mandate can undo', () => {
    const life = living(on('2027-02-20'))
    const { now } = life
    given(life.history)
      .when(ended('customer', now))
      .then([
        { type: 'AuthorizationRevoked', data: { mandateId, ...inLedgerAt(now) } },
        { type: 'CancellationScheduled', data: { reason: 'revoked', endsAt: boundary, at: now } },
      ])
    life.give(ended('customer', now))
    life.wakeAt(now)
    const authorizationId = life.state.authorization.requested?.authorizationId ?? null
    expect(authorizationId).not.toBeNull()
    given(life.history)
      .when({ type: 'UndoCancellation', at: now })
      .rejects({ _tag: 'AuthorizationWasRevoked', authorizationId })
    if (authorizationId === null) throw new Error('nothing was asked for')
    const mandate = mandateOf(501, monthly, now)
    life.give({ type: 'ReplaceMandate', authorizationId, mandate, ...inLedgerAt(now, 2) })
    expect(life.state.cancellation).not.toBeNull()
    expect(life.give({ type: 'UndoCancellation', at: now })).toBeNull()
    life.pass(on('2027-03-01'))
    expect(life.state.attempts.at(-1)).toMatchObject({ status: 'confirmed', mandateId: mandate.mandateId })
  })
  it('cancels a past due subscription at once when the customer ends the mandate', () => {
    const life = living(on('2027-03-05'), () => 'balance_too_low')
    const { now } = life
    given(life.history)
      .when(ended('customer', now))
      .then([{ type: 'AuthorizationRevoked', data: { mandateId, ...inLedgerAt(now) } }, canceled(now, 'revoked')])
  })
  it('fails the renewal and asks for a new mandate when another holder of the operator’s key ends the mandate', () => {
    const life = living(on('2027-02-20'))
    life.give(ended('operator', life.now))
    life.pass(on('2027-03-01'))
    expect(life.state).toMatchObject({
      status: 'past_due',
      collection: { cause: 'mandate_ended' },
      authorization: { requested: { kind: 'mandate', why: 'revoked' } },
    })
  })
  it('asks daily for the end of the mandate after a cancellation, until a ledger shows it', () => {
    const life = living(on('2027-02-20'))
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    life.pass(unixMs(on('2027-02-20') + 2 * dayMs))
    const sent = life.history.flatMap(({ type, data }) => (type === 'MandateCancellationSent' ? [data.number] : []))
    expect(sent).toEqual([1, 2, 3])
    life.give(ended('operator', life.now))
    expect(dueAt(life.state)).toBeNull()
  })
})
