import { type CheckoutDesk, openCheckoutDesk } from '../testing/checkout-desk.ts'
import { problem } from '../testing/client.ts'
import { completed } from '../testing/sale.ts'

let desk: CheckoutDesk
beforeAll(async () => {
  desk = await openCheckoutDesk()
})
afterAll(() => desk.service.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a checkout of a product', () => {
  it('returns a checkout with every documented field, null where it is unset', async () => {
    const { status, body } = await desk.sell()
    const { id, created_at, expires_at } = body.data
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: expect.stringMatching(/^chk_[0-9A-Za-z]{22}$/),
          object: 'checkout',
          customer_id: null,
          product_id: desk.productId,
          amount: null,
          amount_cents: null,
          currency_code: null,
          price: { amount: 12.5, amount_cents: 1250, currency_code: 'EUR' },
          asset_id: expect.stringMatching(/^USDC:G/),
          asset_code: 'USDC',
          amount_due: '13.5',
          plan: null,
          status: 'open',
          payment_url: `${desk.service.url}/pay/${id}`,
          redirect_url: null,
          description: null,
          metadata: {},
          expires_at: isoTime,
          created_at: isoTime,
          completed_at: null,
          failure_reason: null,
          payment_id: null,
          subscription_id: null,
          terms: null,
          environment: 'testnet',
          late: false,
        },
      },
    })
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 60 * 60 * 1000)
    expect((await desk.service.api(`/checkout/${id}`)).body).toEqual(body)
  })

  it('keeps the input of a checkout, and creates one customer for an email', async () => {
    const given = {
      customer_email: 'ada@example.com',
      redirect_url: 'https://shop.example/thanks?order=1',
      description: 'For Ada',
      metadata: { order: 1 },
    }
    const first = (await desk.sell(given)).body.data
    const second = (await desk.sell({ customer_email: ' ADA@example.com ' })).body.data
    expect(first).toMatchObject({
      redirect_url: given.redirect_url,
      description: given.description,
      metadata: given.metadata,
      customer_id: expect.stringMatching(/^cus_/),
    })
    expect(second.customer_id).toBe(first.customer_id)
    const { body } = await desk.service.api(`/customers/${first.customer_id}`)
    expect(body.data).toMatchObject({ email: 'ada@example.com', name: null, phone: null })
  })

  it('finds the customer by id, then email, then phone number', async () => {
    const create = async (email: string, phone: string) =>
      (await desk.service.api('/customers', { body: { email, name: 'A', phone } })).body.data.id
    const one = await create('one@example.com', '+1 555 0001')
    const two = await create('two@example.com', '+1 555 0002')
    const of = async (body: object) => (await desk.sell(body)).body.data.customer_id
    expect(await of({ customer_id: one, customer_email: ' One@example.com', customer_phone: '+1 555 0002' })).toBe(one)
    expect(await of({ customer_email: 'two@example.com', customer_phone: '+1 555 0001' })).toBe(two)
    expect(await of({ customer_phone: '+1 (555) 0001' })).toBe(one)
  })

  it.each([
    ['no product', { product_id: undefined }, 400, problem('invalid_request', 'product_id')],
    ['an unknown product', { product_id: 'prod_x' }, 404, problem('not_found', 'product_id')],
    ['an unknown customer', { customer_id: 'cus_x' }, 404, problem('not_found', 'customer_id')],
    ['an invalid email', { customer_email: 'ada' }, 400, problem('invalid_request', 'customer_email')],
    ['a phone number without digits', { customer_phone: 'x' }, 400, problem('invalid_request', 'customer_phone')],
    [
      'a redirect to a script',
      { redirect_url: 'javascript:alert(1)' },
      400,
      problem('invalid_request', 'redirect_url'),
    ],
    ['a redirect without a host', { redirect_url: '/thanks' }, 400, problem('invalid_request', 'redirect_url')],
    ['metadata that is a list', { metadata: [1] }, 400, problem('invalid_metadata', 'metadata')],
  ])('refuses a product checkout with %s', async (_, change, status, body) => {
    const answer = await desk.sell(change)
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
  })

  it.each([
    'https:///thanks',
    'https://?a=b',
    'https:\\\\shop.example',
    'https://\\shop.example',
    'https://#a',
    ...[' ', '\n', '\t', '\r', '\u001b', '\u007f', '\u0085', '\u00a0', '\u2028'].map(
      (c) => `https://shop.example/a${c}b`,
    ),
  ])('rejects redirect addresses that browsers would repair: %j', async (redirect_url) => {
    const { status, body } = await desk.sell({ redirect_url })
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'redirect_url') })
  })

  it('creates no customer for a refused checkout', async () => {
    await desk.sell({ product_id: 'prod_x', customer_email: 'nobody@example.com' })
    await desk.sell({ metadata: 5, customer_email: 'nobody@example.com' })
    const { body } = await desk.service.api('/customers?limit=100')
    expect(body.data.data.map(({ email }: { email: string }) => email)).not.toContain('nobody@example.com')
  })

  const quoteOf = async (id: string) => (await desk.service.api(`/pay/${id}/quote`)).body.data

  it('shows what it costs as its quote does, before and after', async () => {
    for (const sale of [await desk.sell(), await desk.charge({ amount: 5, currency_code: 'XLM' })]) {
      const { data } = sale.body
      const { amount_due, asset_id, asset_code, currency_code } = await quoteOf(data.id)
      expect(data).toMatchObject({ amount_due, asset_id, asset_code, price: { currency_code } })
      expect((await desk.service.api(`/checkout/${data.id}`)).body.data).toEqual(data)
      expect((await desk.service.api('/checkout')).body.data.data).toContainEqual(data)
    }
  })

  it('shows what is still to be paid, and nothing once it is over', async () => {
    const { id } = (await desk.charge({ amount: 5, currency_code: 'XLM' })).body.data
    const due = async () => (await desk.service.api(`/checkout/${id}`)).body.data.amount_due
    await desk.service.api('/sandbox/pay', { body: { checkout_id: id, amount: '4' } })
    expect(await due()).toBe('1')
    await desk.service.api(`/checkout/${id}/expire`, { method: 'POST' })
    expect(await due()).toBeNull()
  })

  it('shows the plan of a subscription, and that its trial costs nothing now', async () => {
    const product_id = await desk.plan()
    const price = { amount: 1, amount_cents: 100, currency_code: 'EUR' }
    expect((await desk.sell({ product_id })).body.data).toMatchObject({
      price,
      amount_due: '1.08',
      plan: { recurring_period: 'month', trial_days: 0 },
    })
    expect((await desk.sell({ product_id, subscription_data: { trial_days: 14 } })).body.data).toMatchObject({
      price,
      amount_due: '0',
      plan: { recurring_period: 'month', trial_days: 14 },
    })
  })

  it('shows no trial to a customer who has had it', async () => {
    const given = {
      product_id: await desk.plan(),
      customer_email: 'again@example.com',
      subscription_data: { trial_days: 14 },
    }
    const { id } = (await desk.sell(given)).body.data
    await desk.service.api('/sandbox/pay', { body: { checkout_id: id } })
    const { subscription_id } = await completed(desk.service, id)
    await desk.service.api(`/subscriptions/${subscription_id}/cancel`, { body: { at: 'now' } })
    expect((await desk.sell(given)).body.data).toMatchObject({ amount_due: '1.08', plan: { trial_days: 0 } })
    expect((await desk.service.api(`/checkout/${id}`)).body.data).toMatchObject({
      amount_due: null,
      plan: { trial_days: 14 },
    })
  })

  it('a checkout sells a subscription, and its quote has the terms', async () => {
    const { data } = (await desk.sell({ product_id: await desk.plan() })).body
    expect(data).toMatchObject({ status: 'open', subscription_id: null, payment_id: null })
    expect(await quoteOf(data.id)).toMatchObject({ sep7_uri: null, mandate: { interval: 'month', trial_days: 0 } })
  })

  it('a checkout overrides the trial of the product, up to two years', async () => {
    const sellFor = async (days: number) =>
      desk.sell({ product_id: await desk.plan(), subscription_data: { trial_days: days } })
    const { data } = (await sellFor(730)).body
    expect(await quoteOf(data.id)).toMatchObject({ amount_due: '0', mandate: { trial_days: 730, first_amount: '0' } })
    const { status, body } = await sellFor(731)
    expect({ status, body }).toEqual({ status: 400, body: problem('trial_too_long', 'subscription_data') })
  })

  it.each([
    ['a trial of what is no subscription', { trial_days: 14 }, 'trial_not_allowed', 'subscription_data'],
    ['half a trial day', { trial_days: 0.5 }, 'invalid_request', 'subscription_data'],
    ['a trial below zero', { trial_days: -1 }, 'invalid_request', 'subscription_data'],
    ['a text for its subscription data', 'trial', 'invalid_request', 'subscription_data'],
  ])('refuses a subscription checkout with %s', async (_, subscription_data, code, param) => {
    const { status, body } = await desk.sell({ subscription_data })
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('a checkout may remove the trial of the product', async () => {
    for (const subscription_data of [null, {}, { trial_days: null }, { trial_days: 0 }]) {
      expect((await desk.sell({ subscription_data })).status).toBe(200)
    }
  })
})

describe('a checkout', () => {
  it.each([
    ['', 'type'],
    ['?type=', 'type'],
    ['?type=gift', 'type'],
    ['?type=product&type=direct', 'type'],
    ['?type[]=product', 'query'],
  ])('requires the type product or direct: not %s', async (query, param) => {
    const { status, body } = await desk.service.api(`/checkout${query}`, { body: { product_id: desk.productId } })
    expect({ status, body }).toEqual({
      status: 400,
      body: problem('invalid_request', param),
    })
  })

  it('ends a checkout that the merchant expires, for good', async () => {
    const { id } = (await desk.sell()).body.data
    const expire = () =>
      desk.service.api(`/checkout/${id}/expire`, { method: 'POST', headers: { 'content-type': 'application/json' } })
    const ended = await expire()
    expect({ status: ended.status, state: ended.body.data.status }).toEqual({ status: 200, state: 'expired' })
    expect((await expire()).body).toEqual(ended.body)
    expect((await desk.service.api(`/checkout/${id}`)).body).toEqual(ended.body)
    const unknown = await desk.service.api('/checkout/chk_x/expire', { method: 'POST' })
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: 404, body: problem('not_found') })
  })

  it('lists checkouts by customer and by status', async () => {
    const mine = (await desk.sell({ customer_email: 'lists@example.com' })).body.data
    const ended = (await desk.sell({ customer_email: 'lists@example.com' })).body.data
    await desk.service.api(`/checkout/${ended.id}/expire`, { method: 'POST' })
    const listed = async (query: string) =>
      (await desk.service.api(`/checkout?customer=${mine.customer_id}${query}`)).body.data.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await listed('')).toEqual([ended.id, mine.id])
    expect(await listed('&status=open')).toEqual([mine.id])
    expect(await listed('&status=expired')).toEqual([ended.id])
    expect(await listed(`&status=open&created[gte]=${mine.created_at}`)).toEqual([mine.id])
    expect(await listed(`&created[lt]=${mine.created_at}`)).toEqual([])
    expect(await listed(`&status=expired&ending_before=${mine.id}`)).toEqual([ended.id])
    expect((await desk.service.api('/checkout?customer=cus_unknown')).body.data).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      url: '/checkout',
    })
  })
})
