import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Asked past the client that holds answers to the reference, which has no such routes. */
const errorAt = async (path: string, body?: object) => {
  const response = await fetch(`${service.url}${path}`, {
    headers: { 'x-api-key': service.facts.api_key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return JSON.parse(await response.text()).error
}
const hook = { name: 'A hook', url: 'https://shop.example/hook', events: ['payment.confirmed'] }

describe('messages of refusals', () => {
  it('names the list of routes for an unknown route', async () => {
    const complaint = 'No such route: GET /docs shows all there are'
    expect(await errorAt('/nowhere')).toBe(complaint)
    expect(await errorAt('/payment', {})).toBe(complaint)
  })

  it('tells the expected value of a missing and of a wrong field', async () => {
    expect(await errorAt('/customers', { email: 'ada@example.com' })).toBe(
      '"name" is missing: it must be a text of 1 to 250 characters',
    )
    expect(await errorAt('/customers', { email: 'ada@example.com', name: 7 })).toBe(
      '"name" must be a text of 1 to 250 characters',
    )
    expect(await errorAt('/checkout', {})).toBe('"type" is missing: it must be product or direct')
  })

  it('tells that a trial must be a number of days', async () => {
    const plan = {
      name: 'A club',
      type: 'subscription',
      currency_code: 'USD',
      price_amount: 5,
      recurring_period: 'month',
    }
    const complaint = '"trial_days" must be a whole number of days, or 0 for no trial'
    expect(await errorAt('/product', { ...plan, trial_days: -1 })).toBe(complaint)
    expect(await errorAt('/product', { ...plan, trial_days: 0.5 })).toBe(complaint)
    const sale = { product_id: 'prod_none', subscription_data: { trial_days: -1 } }
    expect(await errorAt('/checkout?type=product', sale)).toBe(
      '"subscription_data" must be an object such as { "trial_days": 14 }: whole days, or 0 for no trial',
    )
  })

  it('tells which webhook addresses and events are allowed', async () => {
    expect(await errorAt('/webhooks', { ...hook, url: 'http://shop.example/hook' })).toBe(
      '"url" must be an https address; in the sandbox, http to 127.0.0.1 will do',
    )
    expect(await errorAt('/webhooks', { ...hook, events: ['payment.done'] })).toMatch(
      /^"events" may hold \*, subscription\.\*, .*payment\.confirmed.*, and nothing else$/,
    )
  })

  it('tells how an asset is named', async () => {
    const book = { name: 'A book', type: 'one_time', currency_code: 'USD', price_amount: 5 }
    const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id
    const complaintAbout = (asset_id: string) => errorAt('/product', { ...book, asset_id })
    expect(await complaintAbout('usdc')).toBe(
      `An asset is named "native" or CODE:ISSUER: write "${usdc}". GET /assets lists all in asset_id`,
    )
    expect(await complaintAbout('DOGE')).toBe(
      'No name of an asset: write "native", or CODE:ISSUER as GET /assets lists it in asset_id',
    )
    expect(await complaintAbout('DOGE:GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ')).toBe(
      'You do not accept this asset: GET /assets lists those that you do, and PUT /settlement adds one',
    )
    expect(await errorAt('/payouts', { asset_id: 'USDC', amount: 'all', destination: 'G' })).toBe(
      '"asset_id" must be native, or CODE:ISSUER as GET /assets lists it in asset_id',
    )
    expect(await errorAt('/checkout?type=direct', { amount: 1, currency_code: 'DOGE' })).toBe(
      'Neither a currency (GET /currencies lists them) nor an asset that you accept (GET /assets lists those)',
    )
  })

  it('tells in which header a credential goes that came as a bearer token', async () => {
    const errorFor = async (headers: Record<string, string>) =>
      JSON.parse(await (await fetch(`${service.url}/product`, { headers })).text()).error
    const missing = 'Session Token or API Key or App Token required'
    expect(await errorFor({})).toBe(missing)
    expect(await errorFor({ authorization: `Bearer ${service.facts.api_key}` })).toBe(
      `${missing}: send the API key in the header "x-api-key", without "Bearer". "Authorization" is not read`,
    )
    expect(await errorFor({ authorization: 'bearer app_test_1' })).toBe(
      `${missing}: send the app token in the header "x-app-token", without "Bearer". "Authorization" is not read`,
    )
  })

  it('tells where a portal may lead back to', async () => {
    const { id } = (await service.api('/customers', { body: { name: 'A', email: 'back@example.com' } })).body.data
    for (const return_url of ['javascript:alert(1)', 'http://shop.example/'])
      expect(await errorAt(`/customers/${id}/portal`, { return_url })).toBe(
        '"return_url" must be an https address; with a test key, http to 127.0.0.1 or localhost will do',
      )
  })

  it('tells that an email is not that of the named customer', async () => {
    const customers = (email: string) => ({ name: 'A', email })
    const made = await service.api('/customers', { body: customers('own@example.com') })
    const { id } = made.body.data
    const sale = { amount: 5, currency_code: 'XLM', customer_id: id, customer_email: 'other@example.com' }
    expect(await service.api('/checkout?type=direct', { body: sale })).toMatchObject({
      status: 400,
      body: {
        error: `${id} has another email: leave "customer_email" out, or leave "customer_id" out to name the customer by email`,
        code: 'email_mismatch',
        param: 'customer_email',
      },
    })
  })
})
