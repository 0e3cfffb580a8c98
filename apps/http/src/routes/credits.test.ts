import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

let customers = 0
const metered = {
  name: 'Calls',
  type: 'metered',
  currency_code: 'USD',
  price_amount: 1,
  unit: 'call',
  units_per_credit: 10,
  total_credits: 100,
}
/** A customer who has bought 100 credits of 10 calls, and when the payment was confirmed. */
const bought = async () => {
  const product = (await service.api('/product', { body: metered })).body.data
  const person = { email: `customer-${customers++}@example.com`, name: 'Ada' }
  const customer = (await service.api('/customers', { body: person })).body.data
  const sale = await openSale(service, { product_id: product.id, customer_id: customer.id }, 'product')
  await wallet.pay(sale)
  const { payment_id } = await completed(service, sale.id)
  const payment = (await service.api(`/payment/${payment_id}`)).body.data
  const path = `/customers/${customer.id}/credits/${product.id}`
  return { path, payment, access: `/customers/${customer.id}/access/${product.id}` }
}
const full = {
  object: 'credit_balance',
  granted: 100,
  consumed: 0,
  expired: 0,
  balance: 100,
  unit: 'call',
  units_remainder: 0,
}
const afterFifteen = { ...full, consumed: 2, balance: 98, units_remainder: 5 }

describe('credits', () => {
  it('consumes credits in units, once under a key, and lists them entry by entry', async () => {
    const { path, payment } = await bought()
    expect((await service.api(path)).body).toEqual({ data: full })
    const consume = () =>
      service.api(`${path}/consume`, {
        body: { units: 15, metadata: { call: 7 } },
        headers: { 'idempotency-key': path },
      })
    expect((await consume()).body).toEqual({ data: afterFifteen })
    expect((await consume()).body).toEqual({ data: afterFifteen })
    expect((await service.api(path)).body).toEqual({ data: afterFifteen })
    const { data } = (await service.api(`${path}/transactions`)).body
    expect(data).toMatchObject({ object: 'list', has_more: false, url: `${path}/transactions` })
    const [consumed, granted] = data.data
    expect(data.data).toMatchObject([
      { type: 'consumed', units: 15, payment_id: null, metadata: { call: 7 } },
      { type: 'granted', units: 1000, payment_id: payment.id, metadata: {} },
    ])
    const after = await service.api(`${path}/transactions?limit=1&starting_after=${consumed.id}`)
    expect(after.body.data).toMatchObject({ data: [granted], has_more: false })
    const unknown = await service.api(`${path}/transactions?starting_after=ctx_0000000000000000000000`)
    expect(unknown).toMatchObject({ status: 400, body: problem('invalid_request', 'starting_after') })
  })

  it('never overdraws credits', async () => {
    const { path } = await bought()
    const answer = await service.api(`${path}/consume`, { body: { units: 1001 } })
    expect(answer).toMatchObject({ status: 409, body: problem('insufficient_credits', 'units') })
    expect((await service.api(`${path}/consume`, { body: { units: 1000 } })).body.data).toMatchObject({ balance: 0 })
  })

  it('grants no credits for a metered product without a number of them', async () => {
    const { total_credits: _, units_per_credit: __, ...silent } = metered
    const product = (await service.api('/product', { body: silent })).body.data
    expect(product).toMatchObject({ type: 'metered', total_credits: 0, units_per_credit: 1 })
    const person = { email: `customer-${customers++}@example.com`, name: 'Ada' }
    const customer = (await service.api('/customers', { body: person })).body.data
    const sale = await openSale(service, { product_id: product.id, customer_id: customer.id }, 'product')
    await wallet.pay(sale)
    await completed(service, sale.id)
    const path = `/customers/${customer.id}/credits/${product.id}`
    expect((await service.api(path)).body).toEqual({ data: { ...full, granted: 0, balance: 0 } })
    expect((await service.api(`${path}/transactions`)).body.data.data).toEqual([])
    const answer = await service.api(`${path}/consume`, { body: { units: 1 } })
    expect(answer).toMatchObject({ status: 409, body: problem('insufficient_credits', 'units') })
    const access = await service.api(`/customers/${customer.id}/access/${product.id}`)
    expect(access.body).toEqual({ has_access: false, grant: null, expires_at: null })
  })

  it.each([0, -1, 1.5, '1', null, 2 ** 53, true])('refuses to consume %j units', async (units) => {
    const answer = await service.api(`${(await known()).path}/consume`, { body: { units } })
    expect(answer).toMatchObject({ status: 400, body: problem('invalid_request', 'units') })
  })

  it('shows credits only for an existing customer and product', async () => {
    const { path } = await known()
    const [, , customer, , product] = path.split('/')
    for (const missing of [
      `/customers/cus_0000000000000000000000/credits/${product}`,
      `/customers/${customer}/credits/prod_0000000000000000000000`,
      '/customers/x/credits/y',
    ]) {
      expect((await service.api(missing)).status).toBe(404)
      expect((await service.api(`${missing}/transactions`)).status).toBe(404)
      expect((await service.api(`${missing}/consume`, { body: { units: 1 } })).status).toBe(404)
    }
  })

  it('grants access by credits from the confirmation of the payment, as of any moment', async () => {
    const { access, payment } = await known()
    const since = Date.parse(payment.confirmed_at)
    const at = async (moment: string) => (await service.api(`${access}?at=${encodeURIComponent(moment)}`)).body
    const grant = { has_access: true, grant: { type: 'one_time', payment_id: payment.id }, expires_at: null }
    const none = { has_access: false, grant: null, expires_at: null }
    expect(await at(payment.confirmed_at)).toEqual(grant)
    expect(await at(new Date(since - 1).toISOString())).toEqual(none)
    expect(await at('2100-01-01T00:00:00+02:00')).toEqual(grant)
    expect(await service.api(`${access}?at=yesterday`)).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'at'),
    })
  })
})

let one: ReturnType<typeof bought> | null = null
/** A purchase that tests share which do not consume of it. */
const known = () => {
  one ??= bought()
  return one
}
