import { type CheckoutDesk, openCheckoutDesk } from '../testing/checkout-desk.ts'
import type { Service } from '../testing/service.ts'

let desk: CheckoutDesk
beforeAll(async () => {
  desk = await openCheckoutDesk()
})
afterAll(() => desk.service.close())

describe('a field of a checkout with nearly the right name, or of the other kind', () => {
  const refusal = ({ status, body }: Awaited<ReturnType<Service['api']>>) => [status, body.code, body.param, body.error]
  const refused = (param: string, given: string, meant: string) => [
    400,
    'invalid_request',
    param,
    `There is no field "${given}"${param === given ? ' here' : ''}. Did you mean "${meant}"?`,
  ]

  it.each([
    ['success_url', 'redirect_url'],
    ['return_url', 'redirect_url'],
    ['redirectUrl', 'redirect_url'],
    ['redirect_uri', 'redirect_url'],
    ['customer', 'customer_id'],
    ['customerEmail', 'customer_email'],
    ['email', 'customer_email'],
    ['product', 'product_id'],
    ['meta_data', 'metadata'],
    ['descripton', 'description'],
    ['trial_days', 'subscription_data.trial_days'],
    ['trial_period_days', 'subscription_data.trial_days'],
    ['trialPeriodDays', 'subscription_data.trial_days'],
    ['successUrl', 'redirect_url'],
    ['SUCCESS_URL', 'redirect_url'],
    ['subscriptiondata', 'subscription_data'],
  ])('is refused: %s for %s', async (given, meant) =>
    expect(refusal(await desk.sell({ [given]: 'x' }))).toEqual(refused(given, given, meant)),
  )

  it.each(['trial_period_days', 'trialPeriodDays', 'trialDays', 'trial_day', 'trial_end', 'trialEnd'])(
    'is refused inside subscription_data: %s',
    async (given) =>
      expect(refusal(await desk.sell({ product_id: await desk.plan(), subscription_data: { [given]: 14 } }))).toEqual(
        refused('subscription_data', `subscription_data.${given}`, 'subscription_data.trial_days'),
      ),
  )

  it.each([
    ['currency', 'currency_code'],
    ['price_amount', 'amount'],
    ['amount_cent', 'amount_cents'],
    ['amountCents', 'amount_cents'],
  ])('is refused in a direct checkout: %s for %s', async (given, meant) => {
    const body = { amount: 5, currency_code: 'XLM', [given]: 5 }
    expect(refusal(await desk.service.api('/checkout?type=direct', { body }))).toEqual(refused(given, given, meant))
  })

  it.each(['redirect-url', 'success-url', 'redirect_url ', 'rédirect_url', '<b>redirect_url</b>'])(
    'is refused without repeating it, if it has other signs than letters, digits and underscores: %s',
    async (given) =>
      expect(refusal(await desk.sell({ [given]: 'https://a.example' }))).toEqual([
        400,
        'invalid_request',
        'body',
        'A field is unknown here. Did you mean "redirect_url"?',
      ]),
  )

  it.each(['trial-days', 'trial_days\n', 'trial_dàys'])(
    'is refused without repeating it inside subscription_data: %j',
    async (given) =>
      expect(refusal(await desk.sell({ product_id: await desk.plan(), subscription_data: { [given]: 14 } }))).toEqual([
        400,
        'invalid_request',
        'subscription_data',
        'A field is unknown in "subscription_data". Did you mean "subscription_data.trial_days"?',
      ]),
  )

  it.each<[string, unknown]>([
    ['product_id', 'prod_0350octnOHjxKc0nvAnxpS'],
    ['subscription_data', { trial_days: 14 }],
  ])('is refused in a direct checkout, which would sell nothing by it: %s', async (field, value) => {
    const sale = (given: unknown) =>
      desk.service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM', [field]: given } })
    expect(refusal(await sale(value))).toEqual([
      400,
      'invalid_request',
      field,
      `"${field}" is a field of requests with ?type=product, and would be ignored here: leave it out`,
    ])
    expect((await sale(null)).status).toBe(200)
  })

  it('is refused although the right one is there, since only one of them can be meant', async () =>
    expect(refusal(await desk.sell({ redirect_url: 'https://a.example', success_url: 'https://b.example' }))).toEqual(
      refused('success_url', 'success_url', 'redirect_url'),
    ))

  it.each<object>([
    { order_number: '1042', cancel_url: 'https://shop.example', id: 'x', payment_id: 'x', subscription_id: 'x' },
    { amount: 5, amount_cents: 500, currency_code: 'EUR', price_amount: 5, status: 'open', payment_url: 'x' },
    { constructor: 1, toString: 2, hasOwnProperty: 3, ['x'.repeat(5_000)]: 4, '<b>redirect</b>': 5 },
    { subscription_data: { metadata: {}, billing_cycle_anchor: 1, constructor: 1 } },
  ])('other unknown fields are ignored: %j', async (more) =>
    expect((await desk.sell({ product_id: await desk.plan(), ...more })).status).toBe(200),
  )

  it('is for other requests a field like any other that nobody knows', async () => {
    const body = { email: 'near-miss@example.com', name: 'Ada', phon: '123' }
    expect((await desk.service.api('/customers', { body })).status).toBe(200)
  })
})
