import { CurrencyCode } from '../shared/currency.ts'
import { stroops } from '../shared/stroops.ts'
import { count, hourMs, positiveCount, unixMs } from '../shared/units.ts'
import { contractOf } from '../testing/account.ts'
import { decoded, eurc, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  attemptOf,
  authorizationOf,
  begun,
  confirmed,
  dayMs,
  dearer,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  yearly,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import type { FailureCause } from './causes.ts'
import { accessEndsAt } from './entitlement.ts'
import { offeredIn, Subscription, type SubscriptionTerms } from './index.ts'
import { chargeAt } from './next-charge.ts'

const { given } = scenario(Subscription.decider)
const living = (until: number, ends?: Ends): Life => {
  const life = lifeOf(begun(on('2027-01-31')))
  life.pass(unixMs(until), ends)
  return life
}
const cap = 110_000_000n
const swap = (terms: SubscriptionTerms, at: number, quote = cap) =>
  ({
    type: 'SwapProduct',
    terms,
    assetId: usdc,
    quote: stroops(quote),
    authorizationId: authorizationOf(1),
    at: unixMs(at),
  }) as const
const replace = (number: number, terms: SubscriptionTerms, at: number, authorization = 1) =>
  ({
    type: 'ReplaceMandate',
    authorizationId: authorizationOf(authorization),
    mandate: mandateOf(number, terms, unixMs(at)),
    ...inLedgerAt(unixMs(at), 2),
  }) as const

describe('swapping the product of a subscription', () => {
  const now = on('2027-02-20')
  const life = living(now)
  const anchor = { at: on('2027-01-31'), n: count(0) }
  it('a swap within the cap charges the new price next and keeps the schedule', () => {
    given(life.history)
      .when(swap(dearer, now))
      .then([{ type: 'ProductSwapped', data: { terms: dearer, anchor, at: now } }])
    const swapped = living(now)
    swapped.give(swap(dearer, now))
    swapped.pass(on('2027-03-01'))
    expect(swapped.state.attempts).toMatchObject([{ price: dearer.price, period: { start: on('2027-02-28') } }])
  })
  it('a swap one stroop above the cap waits for a new mandate', () =>
    given(life.history)
      .when(swap(dearer, now, cap + 1n))
      .then([
        { type: 'SwapPending', data: { terms: dearer, authorizationId: authorizationOf(1), at: now } },
        {
          type: 'AuthorizationRequested',
          data: { authorizationId: authorizationOf(1), kind: 'mandate', why: 'swap_above_cap', at: now },
        },
      ]))
  it('a swap to another interval waits for a new mandate, and counts from the start of the next period', () => {
    const waiting = living(now)
    waiting.give(swap(yearly, now, 1n))
    expect(waiting.state).toMatchObject({ terms: monthly, authorization: { requested: { why: 'swap_of_interval' } } })
    expect(waiting.give(replace(501, monthly, now))).toMatchObject({ _tag: 'MandateMismatch' })
    given(waiting.history)
      .when(replace(501, yearly, now))
      .then([
        {
          type: 'MandateReplaced',
          data: { authorizationId: authorizationOf(1), mandate: mandateOf(501, yearly, now), ...inLedgerAt(now, 2) },
        },
        { type: 'ProductSwapped', data: { terms: yearly, anchor: { at: on('2027-02-28'), n: count(1) }, at: now } },
      ])
    waiting.give(replace(501, yearly, now))
    waiting.pass(on('2027-03-01'))
    expect(waiting.state.covered.period).toEqual({ start: on('2027-02-28'), end: on('2028-02-28') })
  })
  it('a swap back to the current product drops the waiting swap and its authorization request', () => {
    const waiting = living(now)
    waiting.give(swap(yearly, now, 1n))
    given(waiting.history)
      .when(swap(monthly, now))
      .then([{ type: 'SwapDropped', data: { at: now } }])
    waiting.give(swap(monthly, now))
    expect(waiting.give(replace(501, yearly, now))).toMatchObject({ _tag: 'AuthorizationNotRequested' })
  })
  it('a swap that the mandate allows withdraws the authorization request of an earlier swap', () => {
    const waiting = living(now)
    waiting.give(swap(yearly, now, 1n))
    waiting.give(swap(dearer, now))
    expect(waiting.state).toMatchObject({ terms: dearer, pendingSwap: null, authorization: { requested: null } })
  })
  it('rejects a swap to another asset or currency, or while money is owed', () => {
    given(life.history)
      .when({ ...swap(dearer, now), assetId: eurc })
      .rejects({ _tag: 'AssetMismatch', expected: usdc })
    const { currency } = monthly.price
    const yen = { ...dearer, price: { ...dearer.price, currency: decoded(CurrencyCode, 'JPY') } }
    given(life.history).when(swap(yen, now)).rejects({ _tag: 'CurrencyMismatch', expected: currency })
    given(living(on('2027-03-05'), () => 'balance_too_low').history)
      .when(swap(dearer, on('2027-03-05')))
      .rejects({ _tag: 'StatusForbids', status: 'past_due' })
  })
  it('a swap of the interval during a renewal leaves that period as charged', () => {
    const charged = living(on('2027-02-27'))
    charged.give(swap(yearly, charged.now, 1n))
    charged.pass(on('2027-02-28'), () => 'unknown')
    charged.give(replace(501, yearly, on('2027-02-28')))
    charged.give(confirmed(1, 0, on('2027-02-28T12:01:00')))
    expect(charged.state).toMatchObject({
      covered: { n: 1, period: { start: on('2027-02-28'), end: on('2027-03-31') } },
      anchor: { at: on('2027-03-31'), n: 2 },
    })
    charged.pass(on('2027-04-01'))
    expect(charged.state.covered.period).toEqual({ start: on('2027-03-31'), end: on('2028-03-31') })
  })
})

describe('the authorization of a subscription', () => {
  const failing = (cause: 'allowance_too_low' | 'no_trustline'): Life => living(on('2027-03-01'), () => cause)
  it.each([
    ['allowance', 'allowance_too_low'],
    ['mandate', 'no_trustline'],
  ] as const)('asks for a new %s after %s', (kind, cause) =>
    expect(failing(cause).state.authorization.requested).toMatchObject({ kind, why: 'charge_failed' }),
  )
  it('retries the owed charge at once when the authorization is given', () => {
    const life = failing('allowance_too_low')
    const { mandate } = life.state.authorization
    const approval = { ...mandate.approval, approvedAt: life.now, allowance: stroops(500_000_000n) }
    life.give({ type: 'RecordAllowance', mandateId: mandate.mandateId, approval })
    expect(life.history.slice(-2)).toEqual([
      { type: 'AllowanceSeen', data: { mandateId: mandate.mandateId, approval } },
      { type: 'RetryRequested', data: { cause: 'authorized', at: life.now } },
    ])
    life.wakeAt(life.now)
    expect(life.state).toMatchObject({ status: 'active', authorization: { requested: null } })
  })
  it('does not ask for an authorization again while it tries the one given', () => {
    const life = failing('allowance_too_low')
    const { mandate } = life.state.authorization
    const approval = { ...mandate.approval, approvedAt: life.now, allowance: stroops(500_000_000n) }
    const before = life.history.length
    life.give({ type: 'RecordAllowance', mandateId: mandate.mandateId, approval })
    life.wakeAt(life.now, () => 'unknown')
    expect(life.typesSince(before)).toEqual(['AllowanceSeen', 'RetryRequested', 'ChargeAttempted', 'ChargeHandedOver'])
  })
  it('tries no charge with an authorization too small for a period', () => {
    const life = failing('allowance_too_low')
    const { mandate } = life.state.authorization
    const approval = { ...mandate.approval, approvedAt: life.now, allowance: stroops(cap - 1n) }
    life.give({ type: 'RecordAllowance', mandateId: mandate.mandateId, approval })
    expect(life.history.at(-1)?.type).toBe('AllowanceSeen')
  })
  it('starts the new mandate at the beginning of the owed period, and ends the old mandate', () => {
    const life = failing('no_trustline')
    const asked = life.state.authorization.requested
    if (asked === null) throw new Error('nothing was asked for')
    const { authorizationId } = asked
    const late = { ...replace(501, monthly, life.now), authorizationId }
    expect(life.give(late)).toMatchObject({ _tag: 'MandateMismatch' })
    const mandate = { ...late.mandate, firstChargeAt: on('2027-02-28') }
    expect(life.give({ ...late, mandate })).toBeNull()
    life.wakeAt(life.now)
    expect(life.state).toMatchObject({ status: 'active', covered: { n: 1 } })
    const { mandateId } = mandateOf(500, monthly, life.now)
    expect(life.state.retired).toMatchObject([{ mandateId, sent: 1 }])
  })
  const replacedWhileCharged = () => {
    const life = living(on('2027-02-27'))
    life.give(swap(dearer, life.now, cap + 1n))
    life.pass(on('2027-02-28'), () => 'unknown')
    const mandate = mandateOf(501, monthly, on('2027-02-27'))
    life.give({ ...replace(501, monthly, on('2027-02-28')), mandate })
    const { paymentId = null } = life.state.attempts.at(-1) ?? {}
    if (paymentId === null) throw new Error('nothing was attempted')
    return { life, mandate, paymentId }
  }
  /** A charge fails after the customer has signed a new mandate, in a ledger of `failedAt`. */
  const failureOfReplaced = (cause: FailureCause, failedAt: (replacedAt: number) => number) => {
    const { life, mandate, paymentId } = replacedWhileCharged()
    const at = unixMs(failedAt(life.now))
    const { ledger: includedIn } = inLedgerAt(at)
    const { policy } = life
    const before = life.history.length
    life.give({ type: 'FailCharge', paymentId, cause, code: null, includedIn, at, policy, jitter: 0 })
    return { life, mandate, recorded: life.history.slice(before) }
  }
  it.each(['mandate_ended', 'above_cap'] as const)(
    'does not count failures that a new mandate explains (%s)',
    (cause) => {
      const { life, mandate, recorded } = failureOfReplaced(cause, (replacedAt) => replacedAt)
      expect(recorded).toMatchObject([{ type: 'ChargeFailed', data: { outcome: 'technical', counts: false } }])
      life.pass(unixMs(life.now + dayMs))
      expect(life.state.attempts.at(-1)).toMatchObject({ status: 'confirmed', mandateId: mandate.mandateId })
    },
  )
  it.each([
    ['its ledger was before the new mandate', 'mandate_ended', -1],
    ['the balance was too low', 'balance_too_low', 0],
    ['the allowance was too low', 'allowance_too_low', 0],
    ['the trustline was gone', 'no_trustline', 0],
  ] as const)('counts a failure of the old mandate if %s, and charges the new one at once', (_, cause, after) => {
    const { life, mandate, recorded } = failureOfReplaced(cause, (replacedAt) => replacedAt + after)
    expect(recorded).toMatchObject([
      { type: 'ChargeFailed', data: { cause, counts: true } },
      { type: 'RetryRequested', data: { cause: 'authorized' } },
    ])
    expect(life.state).toMatchObject({ status: 'past_due' })
    expect(accessEndsAt(life.state)).toBeNull()
    life.wakeAt(life.now)
    expect(life.state).toMatchObject({ status: 'active' })
    expect(life.state.attempts.at(-1)).toMatchObject({ status: 'confirmed', mandateId: mandate.mandateId })
  })
  it('withdraws an attempt not yet handed over, and makes it again with the new mandate', () => {
    const life = living(on('2027-02-27'))
    life.give(swap(dearer, life.now, cap + 1n))
    const at = on('2027-02-28')
    life.give(attemptOf(chargeAt(life.state, at), at))
    const mandate = mandateOf(501, monthly, on('2027-02-27'))
    life.give({ ...replace(501, monthly, at), mandate })
    life.pass(unixMs(at + dayMs))
    const tried = life.state.attempts.map(({ status, mandateId }) => [status, mandateId])
    expect(tried).toEqual([
      ['failed', mandateOf(500, monthly, at).mandateId],
      ['confirmed', mandate.mandateId],
    ])
  })
  it('ends a replaced mandate after its charge, which it could still pay', () => {
    const { life, paymentId } = replacedWhileCharged()
    const { mandateId } = mandateOf(500, monthly, life.now)
    life.pass(unixMs(life.now + hourMs))
    expect(life.state.retired).toMatchObject([{ mandateId, sent: 0 }])
    life.give({ type: 'ConfirmCharge', paymentId, ...inLedgerAt(life.now) })
    life.pass(unixMs(life.now + hourMs))
    expect(life.state.retired).toMatchObject([{ mandateId, sent: 1 }])
  })
  it('ends the mandate of a canceled subscription before its charge', () => {
    const life = living(on('2027-02-27'))
    life.pass(on('2027-02-28'), () => 'unknown')
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    life.pass(unixMs(life.now + hourMs))
    expect(life.state.retired).toMatchObject([{ sent: 1 }])
  })
  it('names each contract that a requested mandate is offered in once, unless the present mandate names it', () => {
    const life = living(on('2027-02-20'))
    const authorizationId = authorizationOf(1)
    const { contract: present } = life.state.authorization.mandate
    life.give({ type: 'ChangeWallet', authorizationId, at: life.now })
    const before = life.history.length
    for (const contract of [present, contractOf(7), contractOf(8), contractOf(7)])
      life.give({ type: 'OfferAuthorization', authorizationId, contract, at: life.now })
    expect(life.typesSince(before)).toEqual(['AuthorizationOffered', 'AuthorizationOffered'])
    expect(offeredIn(life.state.authorization, authorizationId)).toEqual([contractOf(7), contractOf(8)])
  })
  it('offers no mandate after the end of the subscription', () => {
    const life = living(on('2027-02-20'))
    const authorizationId = authorizationOf(1)
    life.give({ type: 'ChangeWallet', authorizationId, at: life.now })
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    const before = life.history.length
    life.give({ type: 'OfferAuthorization', authorizationId, contract: contractOf(7), at: life.now })
    expect(life.typesSince(before)).toEqual([])
  })
  it('withdraws nothing after the end of the subscription', () => {
    const life = living(on('2027-02-20'))
    const { mandateId } = life.state.authorization.mandate
    life.give({ type: 'RequestMigration', authorizationId: authorizationOf(1), mandateId, at: life.now })
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    const before = life.history.length
    life.give({ type: 'WithdrawMigration', at: life.now })
    expect(life.typesSince(before)).toEqual([])
  })
  it('records a mandate that arrives after the end of the subscription, and ends it', () => {
    const life = living(on('2027-02-20'))
    life.give(swap(yearly, life.now, 1n))
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    life.give(replace(501, monthly, life.now))
    life.wakeAt(life.now)
    const sent = life.history.flatMap(({ type, data }) => (type === 'MandateCancellationSent' ? [data.mandateId] : []))
    expect(sent).toEqual([500, 501].map((number) => mandateOf(number, monthly, life.now).mandateId))
  })
  it('announces an expiring allowance once, 150 days after it was given', () => {
    const life = living(on('2027-01-31') + 160 * dayMs)
    const { expiresAt } = life.state.authorization.mandate.approval
    // A renewal is due at the same moment, and is done first.
    const at = on('2027-01-31') + 150 * dayMs + 5000
    expect(life.history.filter(({ type }) => type === 'ExpiryAnnounced')).toEqual([
      { type: 'ExpiryAnnounced', data: { expiresAt, at } },
    ])
  })
  it('asks for the renewal of an expiring allowance until the customer gives it', () => {
    const life = living(on('2027-01-31') + 160 * dayMs)
    const { requested, mandate } = life.state.authorization
    expect(requested).toMatchObject({ kind: 'allowance', why: 'expiring' })
    const approval = { ...mandate.approval, approvedAt: life.now, allowance: stroops(500_000_000n) }
    life.give({ type: 'RecordAllowance', mandateId: mandate.mandateId, approval })
    life.wakeAt(life.now)
    expect(life.state.authorization).toMatchObject({ requested: null, expiryAnnouncedAt: null })
  })
  it('asks for the renewal at one address and announces it once, however little allowance is left', () => {
    const life = living(on('2027-01-31') + 160 * dayMs)
    const { mandate, ...asked } = life.state.authorization
    const approval = { ...mandate.approval, allowance: stroops(cap - 1n) }
    const before = life.history.length
    life.give({ type: 'RecordAllowance', mandateId: mandate.mandateId, approval })
    life.wakeAt(life.now)
    expect(life.typesSince(before)).toEqual(['AllowanceSeen'])
    expect(life.state.authorization).toMatchObject(asked)
  })
  it('asks for a mandate instead of an allowance once only a mandate will do', () => {
    const life = living(on('2027-01-31') + 160 * dayMs)
    life.pass(on('2027-08-01'), () => 'no_trustline')
    expect(life.state.authorization.requested).toMatchObject({ kind: 'mandate', why: 'charge_failed' })
  })
})

describe('announcements of charges and trial ends', () => {
  const announced = (trialDays: number, terms: SubscriptionTerms, until: string) => {
    const life = lifeOf(begun(on('2027-01-31'), { trialDays, terms }))
    life.pass(on(until))
    return life.history.flatMap(({ type, data }) =>
      type === 'TrialEndAnnounced' || type === 'RenewalAnnounced' ? [new Date(data.at).toISOString().slice(0, 10)] : [],
    )
  }
  const every = (interval: 'day' | 'week', intervalCount: number) =>
    ({ ...monthly, interval, intervalCount: positiveCount(intervalCount) }) as const
  it.each([
    ['a trial of 14 days, 3 days ahead', 14, monthly, '2027-02-15', ['2027-02-11']],
    ['a trial of 3 days, 3 days ahead', 3, monthly, '2027-02-15', ['2027-01-31']],
    ['a trial of 2 days, a day ahead', 2, monthly, '2027-02-15', ['2027-02-01']],
    ['a month, 3 days ahead', 0, monthly, '2027-04-15', ['2027-02-25', '2027-03-28']],
    ['a week, 3 days ahead', 0, every('week', 1), '2027-02-08', ['2027-02-04']],
    ['six days, never', 0, every('day', 6), '2027-03-01', []],
  ] as const)('announces the end of %s', (_, trialDays, terms, until, expected) =>
    expect(announced(trialDays, terms, until)).toEqual(expected),
  )
  it('does not announce a charge that will not be made', () => {
    const life = living(on('2027-02-20'))
    life.give({ type: 'Cancel', when: 'period_end', at: life.now })
    life.pass(on('2027-03-05'))
    expect(life.typesSince(0)).not.toContain('RenewalAnnounced')
  })
})
