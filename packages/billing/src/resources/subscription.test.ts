import { SubscriptionId, stroops, unixMs } from '@quittance/domain'
import { decoded, exampleId, usdc } from '@quittance/domain/testing'
import {
  authorizationOf,
  begun,
  dayMs,
  inLedgerAt,
  invoiceOf,
  on,
  yearly,
} from '@quittance/domain/testing/subscription-examples'
import { type Ends, type Life, lifeOf } from '@quittance/domain/testing/subscription-life'
import { subscriptionResource } from './subscription.ts'

const id = decoded(SubscriptionId, exampleId(SubscriptionId, 1))
const shown = ({ state, now }: Life) =>
  subscriptionResource(
    'https://pay.example.com',
    now,
  )({
    id,
    merchantId: 'mer_1',
    environment: 'testnet',
    row: { ...state, createdAt: on('2027-01-31'), updatedAt: now },
  })
const living = (until: number, ends?: Ends): Life => {
  const life = lifeOf(begun(on('2027-01-31')))
  life.pass(unixMs(until), ends)
  return life
}
const noMoney: Ends = () => 'balance_too_low'

describe('a subscription as the interface shows it', () => {
  it('shows every field while it is active', () => {
    const life = living(on('2027-03-05'))
    const { details } = life.state
    expect(shown(life)).toEqual({
      id,
      object: 'subscription',
      customer_id: details.customerId,
      product_id: details.terms.productId,
      checkout_id: details.checkoutId,
      status: 'active',
      current_period_start: '2027-02-28T12:00:00.000Z',
      current_period_end: '2027-03-31T12:00:00.000Z',
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_reason: null,
      paused_at: null,
      trial_days: 0,
      failed_payment_count: 0,
      price_amount_cents: 1000,
      currency_code: 'USD',
      asset_id: usdc,
      next_renewal_at: '2027-03-31T12:00:00.000Z',
      invoice_url: null,
      grace_until: null,
      access_ends_at: '2027-04-07T12:00:00.000Z',
      unsettled_cause: null,
      authorization: {
        status: 'active',
        contract_id: details.mandate.contract,
        mandate_id: details.mandate.mandateId,
        cap: '11 USDC',
        expires_at: '2027-07-30T12:00:00.000Z',
        update_url: null,
        update_reason: null,
      },
      pending_price_change: null,
      pending_update: null,
      metadata: {},
      environment: 'testnet',
      created_at: '2027-01-31T12:00:00.000Z',
      updated_at: '2027-03-05T12:00:00.000Z',
    })
  })
  it('shows the next attempt while it is past due', () =>
    expect(shown(living(on('2027-03-05'), noMoney))).toMatchObject({
      status: 'past_due',
      failed_payment_count: 4,
      next_renewal_at: '2027-03-05T12:00:05.000Z',
      invoice_url: null,
    }))
  it('links to the invoice only while it is overdue', () => {
    const life = living(on('2027-03-16'), noMoney)
    const invoice_url = `https://pay.example.com/pay/${invoiceOf(1)}`
    expect(shown(life)).toMatchObject({ status: 'overdue', next_renewal_at: null, invoice_url })
    life.give({ type: 'Pause', at: life.now })
    expect(shown(life)).toMatchObject({ status: 'paused', paused_at: '2027-03-16T12:00:00.000Z', invoice_url: null })
  })
  it('shows the next charge while it is being resumed, and none once that charge has failed', () => {
    const life = living(on('2027-02-10'))
    life.give({ type: 'Pause', at: life.now })
    expect(shown(life)).toMatchObject({ status: 'paused', next_renewal_at: null })
    life.pass(on('2027-03-10'))
    life.give({ type: 'Resume', at: life.now })
    expect(shown(life)).toMatchObject({ status: 'paused', next_renewal_at: '2027-03-10T12:00:00.000Z' })
    life.pass(on('2027-03-11'), () => 'unknown')
    expect(shown(life)).toMatchObject({ status: 'paused', next_renewal_at: '2027-03-10T12:00:00.000Z' })
    const refused = living(on('2027-02-10'))
    refused.give({ type: 'Pause', at: refused.now })
    refused.pass(on('2027-03-10'))
    refused.give({ type: 'Resume', at: refused.now })
    refused.pass(on('2027-03-11'), noMoney)
    expect(shown(refused)).toMatchObject({ status: 'paused', next_renewal_at: null })
  })
  it('shows a scheduled cancellation, and what ended it', () => {
    const life = living(on('2027-02-10'))
    life.give({ type: 'Cancel', when: 'period_end', at: life.now })
    expect(shown(life)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      canceled_at: null,
      cancellation_reason: 'requested',
      next_renewal_at: null,
    })
    life.pass(on('2027-03-10'))
    expect(shown(life)).toMatchObject({ status: 'canceled', canceled_at: '2027-02-28T12:00:00.000Z' })
  })
  it('links to the mandate that a swap waits for, until it is canceled', () => {
    const life = living(on('2027-02-10'))
    const authorizationId = authorizationOf(1)
    const quote = stroops(1n)
    life.give({ type: 'SwapProduct', terms: yearly, assetId: usdc, quote, authorizationId, at: life.now })
    expect(shown(life)).toMatchObject({
      pending_update: { product_id: yearly.productId, price_amount_cents: 1000, currency_code: 'USD' },
      authorization: {
        status: 'active',
        update_url: `https://pay.example.com/pay/${authorizationId}`,
        update_reason: 'swap_of_interval',
      },
    })
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    expect(shown(life)).toMatchObject({ pending_update: null, authorization: { update_url: null } })
  })
  it.each([
    ['insufficient', 'allowance_too_low', 3],
    ['insufficient', 'above_cap', 3],
    ['expired', 'allowance_expired', 3],
    ['revoked', 'mandate_ended', 3],
    ['active', 'no_trustline', 3],
  ] as const)('shows its authorisation as %s after %s', (status, cause, days) =>
    expect(shown(living(on('2027-02-28') + days * 1000 * 60, () => cause))).toMatchObject({
      authorization: { status },
    }),
  )
  it.each([
    ['insufficient', 'would last until the next charge', {}],
    ['active', 'ends before the next charge in any case', { terms: yearly }],
  ] as const)(
    'says that its authorisation is %s where too little is left of an approval that %s',
    (status, _, change) => {
      const life = lifeOf(begun(on('2027-01-31'), change))
      const { mandateId, cap, approval } = life.state.authorization.mandate
      life.give({ type: 'RecordAllowance', mandateId, approval: { ...approval, allowance: stroops(cap - 1n) } })
      expect(shown(life).authorization.status).toBe(status)
    },
  )
  it('shows its authorisation as insufficient when a simulation finds it so before the charge', () => {
    const life = lifeOf(begun(on('2027-01-31')), undefined, () => 'allowance_too_low')
    life.pass(on('2027-02-26'))
    expect(shown(life)).toMatchObject({
      status: 'active',
      authorization: { status: 'insufficient', update_url: expect.stringMatching(/\/pay\/auth_/) },
    })
    life.pass(on('2027-03-01'))
    expect(shown(life)).toMatchObject({ authorization: { status: 'active', update_url: null } })
  })
  it('shows whether its authorisation is expiring, expired, or revoked on the ledger', () => {
    const life = living(on('2027-01-31') + 151 * dayMs)
    expect(shown(life).authorization.status).toBe('expiring')
    life.pass(unixMs(on('2027-01-31') + 180 * dayMs))
    expect(shown(life).authorization.status).toBe('expired')
    const { mandateId } = life.state.authorization.mandate
    life.give({ type: 'RecordMandateEnd', mandateId, by: 'customer', ...inLedgerAt(life.now) })
    expect(shown(life).authorization.status).toBe('revoked')
  })
})
