import { hourMs } from '@quittance/domain'
import { type Club, openClub } from '../testing/club.ts'
import { done, present } from '../testing/outcomes.ts'

const _dayMs = 24 * hourMs

describe('subscribing', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  it('takes one signature: the first payment, the subscription and the checkout follow from one ledger', async () => {
    const { payer, network } = club
    const productId = await club.club()
    const id = await club.join(productId, 'ada@club.example')
    const { kind, mandate } = await club.offered(id, payer)
    expect(kind).toBe('mandate')
    expect(mandate).toEqual({
      contract_id: present(network.seen().mandateContract),
      currency_code: 'USDC',
      first_amount: '10',
      cap: '11',
      interval: 'month',
      interval_count: 1,
      trial_days: 0,
      trial_ends_at: null,
    })
    const hash = await club.enrol(id, payer)
    const { status, payment_id, subscription_id, completed_at } = await club.checkout(id)
    expect(status).toBe('completed')
    const payment = await done(club.billing.payments.retrieve(club.scope, present(payment_id)))
    expect(payment).toMatchObject({
      status: 'confirmed',
      amount: '10 USDC',
      transaction_hash: hash,
      subscription_id: null,
      payment_method_details: { address: payer.account },
    })
    expect(payment.confirmed_at).toBe(completed_at)
    const subscription = await club.subscription(present(subscription_id))
    expect(subscription).toMatchObject({ status: 'active' })
    expect(await club.exceptionsOf(id)).toEqual([])
  })
})
