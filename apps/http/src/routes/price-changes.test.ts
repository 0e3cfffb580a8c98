import { problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { type Service, startService } from '../testing/service.ts'
import { subscribe } from '../testing/subscriber.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const daySeconds = 24 * 60 * 60
let people = 0
const subscribed = async () => {
  const id = await subscribe(service.api, { customer_email: `price-${++people}@example.com` })
  return { id, product_id: (await service.api(`/subscriptions/${id}`)).body.data.product_id }
}
const inDays = async (days: number): Promise<string> => {
  const { now } = (await service.api('/sandbox/clock')).body.data
  return new Date(Date.parse(now) + days * daySeconds * 1_000).toISOString()
}
const create = (body: object) => service.api('/price_changes', { body })
const noticed = (id: string) =>
  eventually(
    () => service.api(`/price_changes/${id}`),
    ({ body }) => body.data.all_noticed,
  )

describe('price changes', () => {
  it('announces a price, shows progress, and charges it after the date', async () => {
    const { id: subscription, product_id } = await subscribed()
    const made = await create({ product_id, price_amount: 5.25, effective_at: await inDays(32) })
    expect(made.body.data).toMatchObject({
      object: 'price_change',
      status: 'scheduled',
      product_id,
      recurring_period: 'month',
      price_amount: 5.25,
      price_amount_cents: 525,
      currency_code: 'USD',
      without_consent: 'keep',
    })
    const { id } = made.body.data
    await noticed(id)
    const path = `/price_changes/${id}`
    expect((await service.api(`${path}/subscriptions?status=waiting`)).body.data.data).toMatchObject([
      { id: subscription, progress: 'waiting', accepted_at: null, update_url: null },
    ])
    expect((await service.api(`/subscriptions/${subscription}`)).body.data.pending_price_change).toMatchObject({
      id,
      price_amount_cents: 525,
      needs_consent: false,
    })
    await service.api('/sandbox/advance', { body: { seconds: 65 * daySeconds } })
    expect((await service.api(path)).body.data.progress).toMatchObject({ waiting: 0, changed: 1 })
    expect((await service.api(`/subscriptions/${subscription}`)).body.data).toMatchObject({
      price_amount_cents: 525,
      pending_price_change: null,
      last_attempt: { status: 'confirmed', amount: '5.25 USDC' },
    })
    expect((await service.api(`/price_changes?product_id=${product_id}`)).body.data.data).toMatchObject([{ id }])
    const { data } = (await service.api(`/events?resource_id=${subscription}&limit=100`)).body.data
    const types = data.map(({ type }: { readonly type: string }) => type)
    expect(types.filter((type: string) => type.includes('price'))).toEqual([
      'subscription.price_change_announced',
      'subscription.price_changed',
    ])
  })

  it('is canceled as often as asked, and leaves the old price', async () => {
    const { id: subscription, product_id } = await subscribed()
    const { id } = (await create({ product_id, price_amount: 50, effective_at: await inDays(40) })).body.data
    await noticed(id)
    expect((await service.api(`/price_changes/${id}/subscriptions`)).body.data.data).toMatchObject([
      { progress: 'awaiting_consent', update_url: expect.stringContaining('/pay/auth_') },
    ])
    for (const _ of [1, 2])
      expect((await service.api(`/price_changes/${id}/cancel`, { method: 'POST' })).body.data.status).toBe('canceled')
    await eventually(
      () => service.api(`/price_changes/${id}`),
      ({ body }) => body.data.progress.dropped === 1,
    )
    expect((await service.api(`/subscriptions/${subscription}`)).body.data.authorization.update_url).toBeNull()
  })

  it('is refused without notice, for an unknown product, and for a currency without a price', async () => {
    const { product_id } = await subscribed()
    expect(await create({ product_id, price_amount: 6, effective_at: await inDays(29) })).toMatchObject({
      status: 400,
      body: problem('notice_too_short', 'effective_at'),
    })
    const effective_at = await inDays(40)
    expect(await create({ product_id: 'prod_0000000000000000000000', effective_at })).toMatchObject({
      status: 404,
      body: problem('not_found', 'product_id'),
    })
    expect(await create({ product_id, currency_code: 'EUR', effective_at })).toMatchObject({
      status: 400,
      body: problem('amount_missing', 'price_amount'),
    })
    expect(await service.api('/price_changes/prc_0000000000000000000000/subscriptions')).toMatchObject({
      status: 404,
      body: problem('not_found'),
    })
  })
})
