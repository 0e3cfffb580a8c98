import { stroops } from '../shared/stroops.ts'
import { hourMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { usdc } from '../testing/examples.ts'
import {
  authorizationOf,
  begun,
  dayMs,
  dearer,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import type { FailureCause } from './index.ts'

const began = on('2027-01-31')
const noticed = on('2027-02-25')

const approve = (life: Life, allowance = 770_000_000n): void => {
  const { mandateId, approval } = life.state.authorization.mandate
  const [approvedAt, expiresAt] = [life.now, unixMs(life.now + 180 * dayMs)]
  life.give({
    type: 'RecordAllowance',
    mandateId,
    approval: { ...approval, allowance: stroops(allowance), approvedAt, expiresAt },
  })
}

describe('problems found by the preflight three days ahead', () => {
  const preflighted = (problem: FailureCause | null, until: UnixMs = noticed, trialDays = 0): Life => {
    const life = lifeOf(begun(began, { trialDays }), undefined, () => problem)
    life.pass(until)
    return life
  }
  const requested = ({ history }: Life) => history.filter(({ type }) => type === 'AuthorizationRequested')
  const renewal = (problem: FailureCause | null) => ({
    type: 'RenewalAnnounced',
    data: { n: 1, renewsAt: on('2027-02-28'), problem, at: noticed },
  })

  it.each([
    ['allowance', 'allowance_too_low'],
    ['allowance', 'allowance_expired'],
    ['mandate', 'mandate_ended'],
    ['mandate', 'above_cap'],
    ['mandate', 'no_trustline'],
    ['mandate', 'not_authorized'],
    ['mandate', 'account_gone'],
  ] as const)('asks the customer for a new %s before the notice of %s, which links to it', (kind, problem) =>
    expect(preflighted(problem).history.slice(1)).toEqual([
      {
        type: 'AuthorizationRequested',
        data: { authorizationId: authorizationOf(1), kind, why: 'foreseen', at: noticed },
      },
      renewal(problem),
    ]),
  )
  it('asks the customer before the end of a trial', () =>
    expect(preflighted('no_trustline', on('2027-02-11'), 14).history.slice(1)).toMatchObject([
      { type: 'AuthorizationRequested', data: { kind: 'mandate', why: 'foreseen' } },
      { type: 'TrialEndAnnounced', data: { problem: 'no_trustline' } },
    ]))
  it.each([null, 'balance_too_low', 'contract_refused'] as const)(
    'asks for nothing when the preflight finds %s',
    (problem) => expect(preflighted(problem).history.slice(1)).toEqual([renewal(problem)]),
  )

  describe('while the customer is asked for another authorization', () => {
    const expiring = (problem: FailureCause): Life => {
      const life = lifeOf(begun(began), undefined, (now) => (now < on('2027-07-01') ? null : problem))
      life.pass(on('2027-07-28'))
      return life
    }
    it('asks for nothing more when the open request is enough', () => {
      expect(requested(expiring('allowance_expired'))).toMatchObject([{ data: { why: 'expiring' } }])
      const swapping = preflighted('allowance_too_low', on('2027-02-20'))
      const [quote, authorizationId] = [stroops(120_000_000n), authorizationOf(7)]
      swapping.give({ type: 'SwapProduct', terms: dearer, assetId: usdc, quote, authorizationId, at: swapping.now })
      swapping.pass(noticed)
      expect(requested(swapping)).toMatchObject([{ data: { authorizationId, why: 'swap_above_cap' } }])
    })
    it('asks for a mandate when an approval is not enough, and for the approval again once that is not needed', () => {
      const life = expiring('no_trustline')
      expect(life.state.authorization.requested).toMatchObject({ kind: 'mandate', why: 'foreseen' })
      life.pass(on('2027-08-01'))
      expect(life.state.authorization.requested).toMatchObject({ kind: 'allowance', why: 'expiring' })
    })
  })

  it('asks again when a swap replaced the request and was then dropped', () => {
    const life = preflighted('allowance_too_low')
    const { terms } = life.state
    const swap = (to: typeof terms, quote: bigint) =>
      ({
        type: 'SwapProduct',
        terms: to,
        assetId: usdc,
        quote: stroops(quote),
        authorizationId: authorizationOf(7),
        at: life.now,
      }) as const
    life.give(swap(dearer, 120_000_000n))
    expect(life.state.authorization.requested).toMatchObject({ kind: 'mandate', why: 'swap_above_cap' })
    life.give(swap(terms, 100_000_000n))
    life.wakeAt(life.now)
    expect(life.state.authorization.requested).toMatchObject({ kind: 'allowance', why: 'foreseen' })
  })

  describe('problems cured before the charge', () => {
    it('an approval large enough for a period cures the problem; a smaller one does not', () => {
      const life = preflighted('allowance_too_low')
      approve(life, 109_999_999n)
      expect(life.state.authorization.requested).not.toBeNull()
      approve(life, 110_000_000n)
      life.pass(on('2027-03-01'))
      expect(life.state).toMatchObject({ status: 'active', covered: { n: 1 }, authorization: { requested: null } })
      expect(requested(life)).toHaveLength(1)
    })
    it('a new mandate cures the problem, and the old one ends on the ledger', () => {
      const life = preflighted('no_trustline')
      const mandate = mandateOf(501, monthly, noticed)
      life.give({ type: 'ReplaceMandate', authorizationId: authorizationOf(1), mandate, ...inLedgerAt(noticed, 2) })
      life.pass(on('2027-03-01'))
      expect(life.state).toMatchObject({
        covered: { n: 1 },
        authorization: { requested: null },
        retired: [{ mandateId: mandateOf(500, monthly, noticed).mandateId }],
      })
    })
    it('drops the request when the charge succeeds anyway', () =>
      expect(preflighted('no_trustline', on('2027-03-01')).state.authorization.requested).toBeNull())
  })

  describe('problems that then fail the charge', () => {
    const failing = (cause: FailureCause): Life => {
      const life = preflighted('allowance_too_low')
      life.pass(on('2027-03-01'), () => cause)
      return life
    }
    it('keeps the address of the request when the charge fails for the same problem', () => {
      const life = failing('allowance_too_low')
      expect(life.state.status).toBe('past_due')
      expect(requested(life)).toHaveLength(1)
      approve(life)
      life.wakeAt(life.now)
      expect(life.state).toMatchObject({ status: 'active', authorization: { requested: null } })
    })
    it('asks for more when the charge fails for a worse cause', () =>
      expect(requested(failing('no_trustline'))).toMatchObject([
        { data: { kind: 'allowance', why: 'foreseen' } },
        { data: { kind: 'mandate', why: 'charge_failed' } },
      ]))
  })

  it('asks once when the ledger then shows that the customer ended the mandate', () => {
    const life = preflighted('mandate_ended')
    const { mandateId } = life.state.authorization.mandate
    life.give({ type: 'RecordMandateEnd', mandateId, by: 'customer', ...inLedgerAt(life.now) })
    life.wakeAt(life.now)
    expect(requested(life)).toHaveLength(1)
    expect(life.state).toMatchObject({
      cancellation: { reason: 'revoked' },
      authorization: { requested: { kind: 'mandate' } },
    })
  })
  it('asks for nothing when no charge will follow', () => {
    const life = preflighted('no_trustline', on('2027-02-20'))
    life.give({ type: 'Cancel', when: 'period_end', at: life.now })
    life.pass(on('2027-03-05'))
    const paused = preflighted('no_trustline', on('2027-02-20'))
    paused.give({ type: 'Pause', at: paused.now })
    paused.pass(on('2027-03-05'))
    expect([requested(life), requested(paused)]).toEqual([[], []])
  })
  it('keeps the request and its address through a pause and an undone cancellation', () => {
    const life = preflighted('no_trustline')
    const at = life.now
    life.give({ type: 'Pause', at })
    life.give({ type: 'Resume', at })
    life.give({ type: 'Cancel', when: 'period_end', at })
    life.give({ type: 'UndoCancellation', at })
    life.pass(on('2027-02-27'))
    expect(requested(life)).toHaveLength(1)
    expect(life.state.authorization.requested).toMatchObject({ authorizationId: authorizationOf(1) })
  })
})

describe('an approval that may expire before the next period is charged', () => {
  const days = 1100
  /** Whoever answers every request so many days later; never, where that is null. Charges fail once the approval is over. */
  const answering = (interval: 'month' | 'year', intervalCount: number, after: number | null): Life => {
    const life = lifeOf(begun(began, { terms: { ...monthly, interval, intervalCount: positiveCount(intervalCount) } }))
    const ends: Ends = (_, now) =>
      now < life.state.authorization.mandate.approval.expiresAt ? 'confirmed' : 'allowance_expired'
    let askedSince: number | null = null
    for (let day = 1; day <= days; day++) {
      life.pass(unixMs(began + day * dayMs + hourMs), ends)
      askedSince = life.state.authorization.requested === null ? null : (askedSince ?? day)
      if (after !== null && askedSince !== null && day >= askedSince + after) approve(life)
    }
    return life
  }
  const daysOf = ({ history }: Life, wanted: Life['history'][number]['type']) =>
    history.flatMap(({ type, data }) =>
      type === wanted && 'at' in data ? [Math.floor((data.at - began) / dayMs)] : [],
    )
  const fromThenOn = (every: number) => Array.from({ length: Math.floor(days / every) }, (_, n) => (n + 1) * every)

  describe.each([
    ['month', 1],
    ['month', 5],
    ['month', 7],
    ['month', 12],
    ['month', 18],
    ['year', 1],
    ['year', 2],
    ['year', 3],
  ] as const)('%s × %i', (interval, intervalCount) => {
    it.each([
      ['at once', 0],
      ['a day before it is over', 29],
    ] as const)('asks to renew an approval 150 days after each; given %s, charges every period', (_, after) => {
      const life = answering(interval, intervalCount, after)
      expect(daysOf(life, 'ExpiryAnnounced')).toEqual(fromThenOn(150 + after).map((day) => day - after))
      expect(daysOf(life, 'AuthorizationRequested')).toEqual(daysOf(life, 'ExpiryAnnounced'))
      expect(life.typesSince(0)).not.toContain('ChargeFailed')
      expect(life.state.covered.n).toBe(Math.floor(36 / (interval === 'year' ? 12 * intervalCount : intervalCount)))
    })
    it('asks to renew an approval once, and in time, when nobody answers', () => {
      const life = answering(interval, intervalCount, null)
      expect(daysOf(life, 'ExpiryAnnounced')).toEqual([150])
      expect(daysOf(life, 'AuthorizationRequested')).toEqual([150])
      expect(life.state.failedPaymentCount).toBeGreaterThan(0)
    })
  })
})
