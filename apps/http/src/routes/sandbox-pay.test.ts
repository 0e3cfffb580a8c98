import { clientOf, problem } from '../testing/client.ts'
import { openOperator } from '../testing/operator.ts'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { overdueSubscription, subscribe } from '../testing/subscriber.ts'
import { walletOn } from '../testing/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const pay = (body: object) => service.api('/sandbox/pay', { body })
const paid = {
  data: { transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/), account: expect.stringMatching(/^G/) },
}
const assetOf = (wanted: string): string => service.facts.assets.find(({ code }) => code === wanted)?.asset_id ?? ''
const checkoutOf = async (id: string) => (await service.api(`/checkout/${id}`)).body.data
const quoteOf = async (id: string) => (await service.anyone(`/pay/${id}/quote`)).body.data
const inDollars = { amount: 12.5, currency_code: 'USDC' }

describe('sandbox wallets', () => {
  it.each([
    ['dollars, for a price in euros', { amount: 12.5, currency_code: 'EUR' }],
    ['more of them than the faucet gives at once', { amount: 25_000, currency_code: 'USDC' }],
  ])('a sandbox wallet pays the amount due in %s, and the ledger completes the checkout', async (_, sold) => {
    const { id } = await openSale(service, sold)
    const { status, body } = await pay({ checkout_id: id })
    expect({ status, body }).toEqual({ status: 200, body: paid })
    const { status: reached, payment_id } = await checkoutOf(id)
    expect(reached).toBe('completed')
    const { data: payment } = (await service.api(`/payment/${payment_id}`)).body
    expect(payment).toMatchObject({ status: 'confirmed', transaction_hash: body.data.transaction_hash })
    const found = await walletOn(service.facts).ledger.getTransaction(body.data.transaction_hash)
    expect(found.status).toBe('SUCCESS')
  })

  it('a sandbox wallet pays less than due, then more than the rest, and nothing for a completed checkout', async () => {
    const { id } = await openSale(service)
    expect((await pay({ checkout_id: id, amount: '4' })).status).toBe(200)
    expect(await quoteOf(id)).toMatchObject({ status: 'open', amount_received: '4', amount_due: '1' })
    expect((await pay({ checkout_id: id, amount: '3' })).status).toBe(200)
    expect(await checkoutOf(id)).toMatchObject({ status: 'completed' })
    expect(await quoteOf(id)).toMatchObject({ amount_received: '7' })
    expect(await pay({ checkout_id: id })).toMatchObject({ status: 409, body: problem('checkout_not_open') })
  })

  it('a sandbox wallet pays with another asset, through an exchange', async () => {
    const { id } = await openSale(service, inDollars)
    expect(await pay({ checkout_id: id, asset_id: assetOf('EURC') })).toMatchObject({ status: 200, body: paid })
    expect(await checkoutOf(id)).toMatchObject({ status: 'completed' })
    expect(await quoteOf(id)).toMatchObject({ amount_received: '12.5' })
  })

  it.each([
    ['a checkout that is not named', {}, 400, 'invalid_request', 'checkout_id'],
    ['a checkout that nobody has', { checkout_id: 'chk_0000000000000000000000' }, 404, 'not_found', 'checkout_id'],
    ['nothing', { amount: '0' }, 400, 'invalid_request', 'amount'],
    ['an asset without an issuer', { asset_id: `EURC:G${'A'.repeat(55)}` }, 400, 'invalid_request', 'asset_id'],
    ['an amount of another asset', { amount: '1', asset_id: 'native' }, 400, 'invalid_request', 'amount'],
    ['more than it can be given', { amount: '200000.0000001' }, 409, 'send_asset_too_little', 'send_asset'],
  ])('refuses to pay %s', async (_, body, status, code, param) => {
    const { id } = await openSale(service, inDollars)
    const given = Object.keys(body).length === 0 ? {} : { checkout_id: id, ...body }
    const answer = await pay(given)
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: problem(code, param) })
    expect(await quoteOf(id)).toMatchObject({ status: 'open', amount_received: '0' })
  })

  const subscriptionOf = async (id: string) => (await service.api(`/subscriptions/${id}`)).body.data
  const idIn = (address: string): string => address.split('/').at(-1) ?? ''

  it('a sandbox wallet pays only invoices of its own merchant', async () => {
    const id = await overdueSubscription(service, 'owes@club.example')
    const { status, invoice_url } = await subscriptionOf(id)
    expect(status).toBe('overdue')
    const body = { checkout_id: idIn(invoice_url) }
    const operator = await openOperator(service.dataDir)
    try {
      const stranger = clientOf(service.url, (await operator.createMerchant('Another')).secret)
      const answer = await stranger('/sandbox/pay', { body })
      expect(answer).toMatchObject({ status: 404, body: problem('not_found', 'checkout_id') })
    } finally {
      await operator.close()
    }
    expect(await pay(body)).toMatchObject({ status: 200, body: paid })
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active', failed_payment_count: 0, invoice_url: null })
    expect(await pay(body)).toMatchObject({ status: 409, body: problem('checkout_not_open') })
  })

  it('a sandbox wallet signs a new authorisation, which charges the debt and later periods', async () => {
    const id = await subscribe(service.api, { customer_email: 'signs@club.example' })
    const { customer_id, current_period_end, asset_id, authorization } = await subscriptionOf(id)
    const [{ payment_method_details }] = (await service.api(`/payment?customer=${customer_id}`)).body.data.data
    const expired_allowance = { account: payment_method_details.address, asset_id }
    await service.api('/sandbox/faults', { body: { expired_allowance } })
    await service.api('/sandbox/advance', { body: { to: current_period_end } })
    const asked = await subscriptionOf(id)
    expect(asked.status).toBe('past_due')
    const signed = await pay({ checkout_id: idIn(asked.authorization.update_url) })
    expect(signed).toMatchObject({ status: 200, body: paid })
    await service.api('/sandbox/faults', { body: {} })
    await service.api('/sandbox/advance', { body: { seconds: 60 } })
    const renewed = await subscriptionOf(id)
    expect(renewed).toMatchObject({
      status: 'active',
      authorization: { status: 'active', update_url: null },
      last_attempt: { status: 'confirmed', payment_method_details: { address: signed.body.data.account } },
    })
    expect(renewed.authorization.mandate_id).not.toBe(authorization.mandate_id)
  })

  it('a sandbox wallet keeps enough money for the charge after a trial', async () => {
    const id = await subscribe(service.api, { customer_email: 'tries@club.example' }, { trial_days: 3 })
    expect((await subscriptionOf(id)).status).toBe('trialing')
    await service.api('/sandbox/advance', { body: { seconds: 3 * 24 * 60 * 60 } })
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active', last_attempt: { status: 'confirmed' } })
  })

  it('refuses to pay checkouts of another merchant', async () => {
    const { id } = await openSale(service)
    const operator = await openOperator(service.dataDir)
    try {
      const stranger = await operator.createMerchant('A stranger')
      const answer = await clientOf(service.url, stranger.secret)('/sandbox/pay', { body: { checkout_id: id } })
      expect(answer).toMatchObject({ status: 404, body: problem('not_found', 'checkout_id') })
    } finally {
      await operator.close()
    }
  })
})
