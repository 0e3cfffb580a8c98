import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'
import { newPlan, subscribe } from '../testing/subscriber.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let people = 0
const product = (change: object = {}) => newPlan(service.api, change)
const subscribed = (change: object = {}) =>
  subscribe(service.api, { customer_email: `reader-${++people}@example.com` }, change)
const look = async (id: string, query = '') => (await service.api(`/subscriptions/${id}${query}`)).body
const post = (id: string, action: string, body?: object) =>
  service.api(`/subscriptions/${id}/${action}`, { method: 'POST', ...(body === undefined ? {} : { body }) })
const put = (id: string, body: object) => service.api(`/subscriptions/${id}`, { method: 'PUT', body })
const nobody = 'sub_0000000000000000000000'

describe('subscriptions', () => {
  it('creates a subscription by a completed checkout, with product, asset and authorisation', async () => {
    const id = await subscribed({ metadata: { plan: 'basic' } })
    const { data } = await look(id)
    expect(data).toMatchObject({
      id,
      object: 'subscription',
      status: 'active',
      cancel_at_period_end: false,
      canceled_at: null,
      paused_at: null,
      trial_days: 0,
      failed_payment_count: 0,
      price_amount_cents: 500,
      currency_code: 'USD',
      next_renewal_at: data.current_period_end,
      invoice_url: null,
      authorization: { status: 'active', cap: '5.5 USDC', update_url: null },
      pending_update: null,
      related_resources: { product: { object: 'product', name: 'P' }, asset: { code: 'USDC' } },
      last_attempt: { status: 'confirmed', amount: '5 USDC', checkout_id: data.checkout_id, subscription_id: null },
    })
    const start = new Date(data.current_period_start)
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 2, 0))
    const day = Math.min(start.getUTCDate(), next.getUTCDate())
    expect(data.current_period_end.slice(8, 10)).toBe(String(day).padStart(2, '0'))
  })

  it('lists subscriptions of a required customer, filtered by status', async () => {
    const { data } = await look(await subscribed())
    const { related_resources: _, last_attempt: __, ...plain } = data
    const url = '/subscriptions'
    const list = (query: string) => service.api(`${url}?customer_id=${data.customer_id}${query}`)
    expect((await list('')).body).toEqual({ data: { object: 'list', data: [plain], has_more: false, url } })
    expect((await list('&status=paused')).body.data.data).toEqual([])
    expect(await service.api(url)).toMatchObject({ status: 400, body: problem('invalid_request', 'customer_id') })
    expect((await service.api(`${url}?customer_id=cus_none`)).body.data.data).toEqual([])
  })

  it('lists subscriptions of all customers under another address', async () => {
    const { data } = await look(await subscribed())
    const { related_resources: _, last_attempt: __, ...plain } = data
    const url = '/reports/subscriptions'
    const { status, body } = await service.api(`${url}?limit=100`)
    expect([status, body.data.url]).toEqual([200, url])
    expect(body.data.data).toContainEqual(plain)
    expect((await service.api(`${url}?limit=100&status=paused`)).body.data.data).not.toContainEqual(plain)
  })

  it('refuses a second subscription of a product with the id of the first, unless the product allows several', async () => {
    const body = { email: 'twice@example.com', name: 'Ada' }
    const { id: customer_id } = (await service.api('/customers', { body })).body.data
    const id = await subscribe(service.api, { customer_id })
    const { product_id } = (await look(id)).data
    const again = () => service.api('/checkout?type=product', { body: { product_id, customer_id } })
    const refused = await again()
    expect(refused).toMatchObject({ status: 409, body: problem('already_subscribed', 'product_id') })
    expect(refused.body.error).toContain(id)
    const other = await subscribe(service.api, { customer_id })
    expect(await put(other, { product_id })).toMatchObject({
      status: 409,
      body: problem('already_subscribed', 'product_id'),
    })
    const allowed = { method: 'PUT', body: { allow_multiple_subscriptions: true } }
    expect((await service.api(`/product/${product_id}`, allowed)).body.data.allow_multiple_subscriptions).toBe(true)
    expect((await again()).status).toBe(200)
  })

  it('has another wallet sign, and keeps the wallet that is charged linked until one has', async () => {
    const body = { email: 'moves@example.com', name: 'Ada' }
    const { id: customer_id } = (await service.api('/customers', { body })).body.data
    const id = await subscribe(service.api, { customer_id })
    const [wallet] = (await service.api(`/customers/${customer_id}`)).body.data.wallets
    const unlink = () => service.api(`/customers/${customer_id}/wallets/${wallet.id}`, { method: 'DELETE' })
    const kept = await unlink()
    expect(kept).toMatchObject({ status: 409, body: problem('wallet_in_use') })
    expect(kept.body.error).toContain(id)
    const { update_url } = (await post(id, 'change_wallet')).body.data.authorization
    expect((await post(id, 'change_wallet')).body.data.authorization.update_url).toBe(update_url)
    await post(id, 'cancel', { at: 'now' })
    expect(await post(id, 'change_wallet')).toMatchObject({ status: 409, body: problem('subscription_canceled') })
    expect((await unlink()).status).toBe(200)
  })

  it('cancels a subscription at the end of the period, and undoes that until then', async () => {
    const id = await subscribed()
    const scheduled = await post(id, 'cancel')
    expect(scheduled.body.data).toMatchObject({ status: 'active', cancel_at_period_end: true, next_renewal_at: null })
    expect((await post(id, 'cancel')).body).toEqual(scheduled.body)
    expect((await put(id, { cancel_at_period_end: false })).body.data).toMatchObject({ cancel_at_period_end: false })
    expect((await put(id, { cancel_at_period_end: true })).body.data).toMatchObject({ cancel_at_period_end: true })
  })

  it('renews a subscription by a charge, and lists its payments under it, from the first one on', async () => {
    const id = await subscribed()
    const before = (await look(id)).data
    const listed = async (query: string) => (await service.api(`/payment?${query}subscription_id=${id}`)).body.data
    const idsIn = async (query: string) => (await listed(query)).data.map((each: { readonly id: string }) => each.id)
    expect(await idsIn('')).toEqual([before.last_attempt.id])
    await service.api('/sandbox/advance', { body: { to: before.current_period_end } })
    const { data } = await look(id)
    expect(data).toMatchObject({ status: 'active', current_period_start: before.current_period_end })
    expect(data.last_attempt).toMatchObject({ status: 'confirmed', amount: '5 USDC', subscription_id: id })
    // Ledgers may close between the requests.
    const attempt = { ...data.last_attempt, synced_at: expect.any(String) }
    const firstId = before.last_attempt.id
    expect((await listed('')).data).toMatchObject([attempt, { id: firstId, subscription_id: null }])
    expect(await listed('limit=1&')).toMatchObject({ data: [{ id: attempt.id }], has_more: true })
    expect(await listed(`starting_after=${attempt.id}&`)).toMatchObject({ data: [{ id: firstId }], has_more: false })
    expect(await listed(`ending_before=${firstId}&`)).toMatchObject({ data: [{ id: attempt.id }], has_more: false })
    expect(await idsIn(`customer=${data.customer_id}&status=confirmed&`)).toEqual([attempt.id, firstId])
    expect((await listed(`customer=${data.customer_id}&status=failed&`)).data).toEqual([])
    const [renewal, first] = (await service.api(`/payment?customer=${data.customer_id}`)).body.data.data
    expect([renewal, first.subscription_id, first.checkout_id]).toEqual([attempt, null, data.checkout_id])
  })

  it('ends a subscription with the period of a scheduled cancellation, on the ledger too', async () => {
    const id = await subscribed()
    const { current_period_end } = (await post(id, 'cancel')).body.data
    await service.api('/sandbox/advance', { body: { to: current_period_end } })
    expect((await look(id)).data).toMatchObject({
      status: 'canceled',
      canceled_at: current_period_end,
      cancellation_reason: 'requested',
      authorization: { status: 'revoked' },
    })
  })

  it('cancels a subscription immediately and for good', async () => {
    const id = await subscribed()
    const { body } = await post(id, 'cancel', { at: 'now' })
    expect(body.data).toMatchObject({ status: 'canceled', cancellation_reason: 'requested' })
    expect(body.data.canceled_at).not.toBeNull()
    expect(await post(id, 'pause')).toMatchObject({ status: 409, body: problem('subscription_canceled') })
    expect(await post(id, 'resume')).toMatchObject({ status: 409, body: problem('subscription_canceled') })
    expect((await post(id, 'cancel', { at: 'tomorrow' })).status).toBe(400)
  })

  it('pauses a subscription, and resumes it without a charge in the paid period', async () => {
    const id = await subscribed()
    expect(await post(id, 'resume')).toMatchObject({ status: 409, body: problem('subscription_not_paused') })
    const paused = await post(id, 'pause')
    expect(paused.body.data).toMatchObject({ status: 'paused', next_renewal_at: null })
    expect(paused.body.data.paused_at).not.toBeNull()
    expect((await post(id, 'pause')).body).toEqual(paused.body)
    expect((await post(id, 'resume')).body.data).toMatchObject({ status: 'active', paused_at: null })
  })

  it('shows the pending charge of a resumed subscription, and its payment', async () => {
    const id = await subscribed()
    const { current_period_end } = (await post(id, 'pause')).body.data
    await service.api('/sandbox/advance', { body: { to: current_period_end } })
    const asked = (await post(id, 'resume')).body.data
    expect(asked).toMatchObject({ status: 'paused', next_renewal_at: expect.stringMatching(/Z$/) })
    expect(asked.next_renewal_at >= current_period_end).toBe(true)
    await service.api('/sandbox/advance', { body: { seconds: 5 } })
    expect((await service.api(`/subscriptions/${id}`)).body.data).toMatchObject({
      status: 'active',
      paused_at: null,
      last_attempt: { status: 'confirmed', amount: '5 USDC', subscription_id: id },
    })
  })

  it('swaps to another product of the same asset and currency, at once if the mandate allows its price', async () => {
    const id = await subscribed()
    const dearer = await product({ price_amount: 5.5 })
    const swapped = (await put(id, { product_id: dearer, metadata: { seat: '1A' } })).body.data
    expect(swapped).toMatchObject({ product_id: dearer, price_amount_cents: 550, metadata: { seat: '1A' } })
    const beyond = await product({ price_amount: 50 })
    const pending = (await put(id, { product_id: beyond })).body.data
    expect(pending).toMatchObject({
      product_id: dearer,
      pending_update: { product_id: beyond, price_amount_cents: 5_000, currency_code: 'USD' },
      authorization: { update_url: expect.stringMatching(/\/pay\/auth_[0-9A-Za-z]{22}$/) },
    })
    const euro = await product({ currency_code: 'EUR' })
    const once = await product({ type: 'one_time', recurring_period: undefined })
    for (const [product_id, status, code] of [
      [euro, 400, 'currency_mismatch'],
      [once, 400, 'not_a_subscription_product'],
      ['prod_none', 404, 'not_found'],
    ] as const) {
      expect(await put(id, { product_id })).toMatchObject({ status, body: problem(code, 'product_id') })
    }
  })

  it('returns the hash-chained history of a subscription, and its state as of any moment', async () => {
    const id = await subscribed()
    const before = (await look(id)).data.updated_at
    await post(id, 'pause')
    const { data } = (await service.api(`/subscriptions/${id}/history`)).body.data
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['SubscriptionStarted', 'Paused'])
    expect((await look(id)).data.status).toBe('paused')
    expect((await look(id, `?at=${before}`)).data.status).toBe('active')
    expect((await service.api(`/subscriptions/${id}?at=2020-01-01T00:00:00.000Z`)).status).toBe(404)
  })

  it('shows the product and the newest payment as they were at a moment', async () => {
    const id = await subscribed()
    const before = (await look(id)).data
    const { product } = before.related_resources
    await service.api('/sandbox/advance', { body: { to: before.current_period_end } })
    await service.api(`/product/${product.id}`, { method: 'PUT', body: { name: 'Renamed' } })
    const now = (await look(id)).data
    expect([now.related_resources.product.name, now.last_attempt.id === before.last_attempt.id]).toEqual([
      'Renamed',
      false,
    ])
    const then = (await look(id, `?at=${before.updated_at}`)).data
    expect(then.related_resources).toEqual(before.related_resources)
    expect(then.last_attempt).toEqual({ ...before.last_attempt, synced_at: null })
  })

  it('grants access by a subscription, even with a scheduled cancellation', async () => {
    const id = await subscribed()
    const { customer_id, product_id, current_period_end } = (await look(id)).data
    await post(id, 'cancel')
    expect((await service.api(`/customers/${customer_id}/access/${product_id}`)).body).toEqual({
      has_access: true,
      grant: { type: 'subscription', subscription_id: id, status: 'active', grace_until: null },
      expires_at: current_period_end,
    })
  })

  it('finds no subscription under an unknown id', async () => {
    expect((await service.api(`/subscriptions/${nobody}`)).status).toBe(404)
    expect((await service.api(`/subscriptions/${nobody}/history`)).status).toBe(404)
    expect((await put(nobody, { cancel_at_period_end: true })).status).toBe(404)
    for (const action of ['cancel', 'pause', 'resume']) expect((await post(nobody, action)).status).toBe(404)
  })
})
