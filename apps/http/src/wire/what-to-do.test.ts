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
})
