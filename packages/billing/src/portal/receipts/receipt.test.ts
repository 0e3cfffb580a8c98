import { hourMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { units } from '../../testing/wallets.ts'

const notFound = { _tag: 'ReceiptNotFound' }
const fromTwoSources = ['sandbox-one', 'sandbox-two'].map((source) => {
  return { pair: 'USDC/USD', rate: '1', source, observedAt: expect.stringMatching(/^2026-/) }
})

describe('the receipt of a payment', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const tokenIn = (url: string | null): string => present(url).replace('http://pay.test/receipts/', '')
  const sold = async (email: string) => {
    const { id } = await club.sell(undefined, { id: null, email, phone: null })
    const pending = await club.billing.receipts.bySession(id)()
    await club.pay(id, [units(10)])
    const payment = await club.payment(id)
    return { id, pending, payment, token: tokenIn(payment.receipt_url) }
  }

  it('shows what was paid, by whom, at which rate and in which transaction', async () => {
    const { payment, token } = await sold('ada@club.example')
    expect(await done(club.billing.receipts.byToken(token))).toEqual({
      number: payment.id,
      environment: 'testnet',
      merchant: 'A Shop',
      seller: { legalName: null, address: null, taxId: null, supportContact: null, logo: null },
      paidAt: payment.confirmed_at,
      customer: payment.billing_details,
      subject: 'A book',
      purpose: 'sale',
      period: null,
      amount: '10 USDC',
      amount_cents: 1000,
      currency: 'USD',
      overpaid: null,
      rates: fromTwoSources,
      transactions: payment.transactions,
      refunds: [],
      isReturned: false,
    })
    expect(payment.billing_details).toMatchObject({ email: 'ada@club.example' })
  })

  it('opens by its own address, and by nothing that stands on the ledger', async () => {
    const { id, payment, token, pending } = await sold('bob@club.example')
    const other = (await sold('eve@club.example')).token
    const proof = token.slice(token.lastIndexOf('-') + 1)
    const guesses = [
      payment.id,
      `${payment.id}-`,
      `${payment.id}-${'0'.repeat(proof.length)}`,
      `${payment.id}-${other.slice(other.lastIndexOf('-') + 1)}`,
      `${payment.id}-${proof.slice(1)}`,
      `${id}-${proof}`,
      '',
    ]
    for (const guess of guesses) expect(await refused(club.billing.receipts.byToken(guess))).toEqual(notFound)
    expect(proof).toMatch(/^[0-9a-f]{32}$/)
    expect(pending).toMatchObject({ left: notFound })
  })

  it('names nobody where a checkout or the portal leads to it, nor once the customer is erased', async () => {
    const { id, payment, token } = await sold('cleo@club.example')
    expect(await done(club.billing.receipts.bySession(id))).toMatchObject({ number: payment.id, customer: null })
    const visitor = { ...club.scope, customerId: present(payment.customer_id) }
    const { payments } = await done(club.billing.portal.view(visitor, { subscriptions: null, payments: null }))
    const fromPortal = tokenIn(present(payments[0]).receipt_url)
    expect(await done(club.billing.receipts.byToken(fromPortal))).toMatchObject({ number: payment.id, customer: null })
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), present(payment.customer_id)))
    expect(await done(club.billing.receipts.byToken(token))).toMatchObject({ number: payment.id, customer: null })
  })

  it('shows a refund once it is under way, and when it has arrived', async () => {
    const { payment, token } = await sold('dora@club.example')
    const refunds = async () => (await done(club.billing.receipts.byToken(token))).refunds
    const desk = refundsIn(club)
    const { id } = await done(desk.request(payment))
    expect(await refunds()).toEqual([
      { id, amount: '10 USDC', status: 'pending', succeeded_at: null, transaction_hash: null },
    ])
    const { succeeded_at, transaction_hash } = await desk.ended({ id })
    expect(await refunds()).toEqual([{ id, amount: '10 USDC', status: 'succeeded', succeeded_at, transaction_hash }])
    expect(transaction_hash).not.toBeNull()
  })

  it('shows the period, the price and the rates of a renewal', async () => {
    const id = await club.join(await club.club(), 'fay@club.example')
    await club.enrol(id, club.other)
    await club.pass(31 * 24 * hourMs)
    for (let turn = 0; turn < 4; turn += 1) await club.pass()
    const { subscription_id } = await club.checkout(id)
    const renewal = present((await club.payments(id)).find((each) => each.subscription_id === subscription_id))
    expect(await done(club.billing.receipts.byToken(tokenIn(renewal.receipt_url)))).toMatchObject({
      subject: 'A book club',
      purpose: 'renewal',
      period: { start: expect.any(String), end: expect.any(String) },
      amount_cents: 1000,
      currency: 'USD',
      rates: fromTwoSources,
    })
  })
})
