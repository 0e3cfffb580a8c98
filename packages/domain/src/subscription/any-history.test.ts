import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { hourMs, secondMs, unixMs } from '../shared/units.ts'
import { anyLife, live } from '../testing/any-subscription-life.ts'
import { contractEnd, contractNext } from '../testing/contract-calendar.ts'
import { dayMs } from '../testing/subscription-examples.ts'
import type { Life } from '../testing/subscription-life.ts'
import { dueAt, entitlementAt, nextStep, Subscription, type SubscriptionEvent, SubscriptionRecord } from './index.ts'
import { periodOf } from './period.ts'

type Of<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { readonly type: Type }>

/**
 * Resuming what goes on is refused, so is an attempt that has had attempts stopped, and a delay after which resuming has
 * come to nothing.
 */
const refusedAgain: Readonly<Record<string, string>> = {
  Resume: 'NotPaused',
  AttemptCharge: 'AttemptsAreStopped',
  DelayCharge: 'NotDue',
}

const thorough = { numRuns: 100 }
const always = (look: (life: Life) => void) =>
  fc.assert(
    fc.property(anyLife, (script) => look(live(script))),
    thorough,
  )
const all = <Type extends SubscriptionEvent['type']>({ history }: Life, ...types: ReadonlyArray<Type>) =>
  history.filter((event): event is Of<Type> => types.some((type) => type === event.type))

describe('whatever happens to a subscription', () => {
  it('never pays for a period twice', () =>
    always((life) => {
      const paid = all(life, 'ChargeConfirmed', 'InvoiceSettled').map(({ data }) => data.n)
      expect(new Set(paid).size).toBe(paid.length)
      expect(paid).not.toContain(0)
    }))

  it('charges no sooner than a day, or half a period, after the last payment', () =>
    always((life) => {
      const { startedAt, trialDays } = life.state.details
      let paidAt: number | null = trialDays === 0 ? startedAt : null
      for (const { type, data } of life.history) {
        if (type === 'ChargeAttempted' && paidAt !== null) {
          const length = data.period.end - data.period.start
          expect(data.at - paidAt).toBeGreaterThanOrEqual(Math.min(dayMs, Math.floor(length / 2)))
        }
        if (type !== 'ChargeConfirmed' && type !== 'InvoiceSettled') continue
        paidAt = data.closedAt
      }
    }))

  it('keeps paid periods from overlapping, on whole seconds and on their anchor', () =>
    always((life) => {
      let { covered, terms } = live({ details: life.state.details, policy: life.policy, happenings: [] }).state
      for (const { type, data } of life.history) {
        if (type === 'ProductSwapped') terms = data.terms
        if (type === 'Resumed' && data.trial !== null) covered = { ...covered, period: data.trial.period }
        if (type !== 'ChargeConfirmed' && type !== 'InvoiceSettled') continue
        const { n, period, anchor } = data
        expect(n).toBeGreaterThan(covered.n)
        expect(period.start).toBeGreaterThanOrEqual(covered.period.end)
        expect(period.start % secondMs).toBe(0)
        if (anchor.n <= n) expect(periodOf(anchor, terms, n)).toEqual(period)
        else expect(anchor).toEqual({ at: period.end, n: n + 1 })
        covered = { kind: 'paid', n, period, paidAt: data.closedAt }
      }
    }))

  it('charges only the current period, and never charges a forgiven one', () =>
    always((life) => {
      life.history.forEach(({ type, data }, index) => {
        if (type === 'ChargeAttempted') {
          expect(data.period.start).toBeLessThanOrEqual(data.at)
          expect(data.at).toBeLessThan(data.period.end)
        }
        if (type === 'PeriodsForgiven') {
          expect(data.from).toBeLessThanOrEqual(data.to)
          const next = life.history[index + 1]
          const n = next?.type === 'BecameOverdue' ? next.data.invoice.n : data.to + 1
          expect(n).toBe(data.to + 1)
          if (next?.type !== 'BecameOverdue')
            expect(next).toMatchObject({ type: 'ChargeAttempted', data: { n, at: data.at } })
        }
      })
    }))

  it('only makes charges that the contract accepts', () =>
    always((life) => {
      const { startedAt, trialDays, mandate } = life.state.details
      const mandates = new Map([[mandate.mandateId, { ...mandate, last: trialDays === 0 ? startedAt : null }]])
      const periods = new Map<
        string,
        { readonly mandateId: typeof mandate.mandateId; readonly start: typeof startedAt }
      >()
      for (const { type, data } of life.history) {
        if (type === 'MandateReplaced') mandates.set(data.mandate.mandateId, { ...data.mandate, last: null })
        if (type === 'ChargeAttempted') {
          const used = mandates.get(data.mandateId)
          if (used === undefined) throw new Error('a mandate that never counted')
          const { start, end } = data.period
          expect(start).toBeGreaterThanOrEqual(used.last === null ? used.firstChargeAt : contractNext(used.last, used))
          expect(end).toBeLessThanOrEqual(contractEnd(start, used))
          periods.set(data.paymentId, { mandateId: data.mandateId, start })
        }
        if (type === 'ChargeConfirmed' || type === 'PaymentSetAside') {
          const charged = periods.get(data.paymentId)
          const used = charged === undefined ? undefined : mandates.get(charged.mandateId)
          // Paid by two mandates, against all proof: what the second one says of the next period is an alarm's business.
          if (type === 'PaymentSetAside' && charged?.mandateId !== mandate.mandateId) return
          if (charged !== undefined && used !== undefined)
            mandates.set(charged.mandateId, { ...used, last: charged.start })
        }
      }
    }))

  it('makes one charge at a time, and lets at most three a day reach a ledger', () =>
    always((life) => {
      const open = new Set<string>()
      const reached: Array<number> = []
      for (const { type, data } of life.history) {
        if (type === 'AttemptsAllowed') reached.length = 0
        if (type === 'ChargeAttempted') {
          expect(open.size).toBe(0)
          open.add(data.paymentId)
          expect(reached.filter((at) => at > data.at - 24 * hourMs).length).toBeLessThan(3)
        }
        if (type === 'ChargeConfirmed' || type === 'ChargeFailed' || type === 'PaymentSetAside')
          open.delete(data.paymentId)
        if (type === 'ChargeConfirmed') reached.push(data.closedAt)
      }
    }))

  it('never becomes past due for a period that it has renewed', () =>
    always((life) => {
      const paid = new Set<number>()
      for (const { type, data } of life.history) {
        if (type === 'ChargeConfirmed' || type === 'InvoiceSettled') paid.add(data.n)
        if (type === 'ChargeFailed' && data.counts) expect(paid).not.toContain(data.n)
        if (type === 'BecameOverdue') expect(paid).not.toContain(data.invoice.n)
      }
    }))

  it('does not charge a paused subscription, except to resume it', () =>
    always((life) => {
      let mode: 'running' | 'paused' | 'resuming' = 'running'
      for (const { type } of life.history) {
        if (type === 'Paused' || type === 'ResumeFailed') mode = 'paused'
        if (type === 'ResumeRequested') mode = 'resuming'
        if (type === 'Resumed') mode = 'running'
        if (type === 'ChargeAttempted') expect(mode).not.toBe('paused')
      }
    }))

  it('after a cancellation only records what the ledger says and ends mandates', () =>
    always((life) => {
      const end = life.history.findIndex(({ type }) => type === 'SubscriptionCanceled')
      expect(life.state.status === 'canceled').toBe(end !== -1)
      const allowed: ReadonlyArray<SubscriptionEvent['type']> = [
        'ChargeHandedOver',
        'ChargeFailed',
        'PaymentSetAside',
        'OperatorAlarmed',
        'AttemptsAllowed',
        'MandateCancellationSent',
        'MandateEnded',
        'MandateReplaced',
        'AllowanceSeen',
      ]
      if (end !== -1) for (const { type } of life.history.slice(end + 1)) expect(allowed).toContain(type)
    }))

  it('gives access at most seven days and the days of grace beyond what is paid', () =>
    fc.assert(
      fc.property(anyLife, (script) => {
        live(script, ({ state, now, policy }) => {
          const last = state.covered.period.end + (7 + policy.accessGraceDays) * dayMs
          if (now >= last) expect(entitlementAt(state, now, now)).toBeNull()
        })
      }),
      thorough,
    ))

  it('has a due date unless canceled or paused, and finds work when that date comes', () =>
    fc.assert(
      fc.property(anyLife, fc.nat({ max: 200 * dayMs }), (script, later) => {
        live(script, ({ state, policy }) => {
          const due = dueAt(state)
          if (due === null) {
            expect(['canceled', 'paused']).toContain(state.status)
            return
          }
          expect(nextStep(state, unixMs(due + later), policy)._tag).not.toBe('nothing')
          expect(nextStep(state, unixMs(due - 1), policy)).toEqual({ _tag: 'nothing', until: due })
        })
      }),
      thorough,
    ))

  it('serves whoever is paid up, or within 7 days while the charge is undecided, and nobody free after that', () =>
    always(({ accepted }) => {
      for (const { command, state } of accepted) {
        if (state.status === 'absent' || !('at' in command)) continue
        const { at } = command
        const { lifecycle, collection, cancellation, covered, stoppedUntil } = state
        const week = covered.period.end + 7 * dayMs
        if (command.type === 'EndUnsettled') expect(at).toBeGreaterThanOrEqual(week)
        const isServed = entitlementAt(state, at, at) !== null
        const isUndecided = lifecycle._tag === 'running' && collection._tag === 'current'
        if (isUndecided && cancellation === null && stoppedUntil === null) expect(isServed).toBe(at < week)
        if (isServed && collection._tag === 'current') expect(at).toBeLessThan(week)
        if (collection._tag === 'invoiced' && collection.unsettled !== undefined) expect(isServed).toBe(false)
      }
    }))

  it('records nothing when an accepted command is repeated at once', () =>
    always(({ accepted }) => {
      for (const { command, state } of accepted) {
        const again = Subscription.decider.decide(command)(state)
        const answer = E.isLeft(again) ? again.left._tag : again.right.length
        expect([0, refusedAgain[command.type]]).toContain(answer)
      }
    }))

  it('reads its stored state back unchanged', () =>
    always(({ state }) => {
      const kept = JSON.parse(JSON.stringify(SubscriptionRecord.encode(state)))
      expect(SubscriptionRecord.decode(kept)).toEqual(E.right(state))
    }))

  it('either applies each incoming payment to a period or sets it aside', () =>
    always((life) => {
      for (const attempt of life.state.attempts) {
        const named = life.history.filter(
          ({ type, data }) =>
            (type === 'ChargeConfirmed' || type === 'PaymentSetAside') && data.paymentId === attempt.paymentId,
        )
        expect(named).toHaveLength(attempt.status === 'confirmed' || attempt.status === 'set_aside' ? 1 : 0)
      }
    }))
})
