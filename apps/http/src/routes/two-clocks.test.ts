import { createClient } from '@quittance/client'
import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'
import { subscribe } from '../testing/subscriber.ts'
import type { OpenApi } from '../wire/openapi/document.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const get = async (path: string) => {
  const { status, body } = await service.api(path)
  return { path, status, body }
}
const clock = async (): Promise<string> => (await service.api('/sandbox/clock')).body.data.now
const advance = (seconds: number) => service.api('/sandbox/advance', { body: { seconds } })
const at = (path: string, moment: string) => `${path}${path.includes('?') ? '&' : '?'}${moment}`

/** How far ledgers were ingested is not known later. */
const withoutSync = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'synced_at' ? null : value)))

/** A merchant's things, by the paths that show them. */
const belongings = async (): Promise<{ readonly paths: ReadonlyArray<string>; readonly subscription: string }> => {
  const subscription = await subscribe(service.api, { customer_email: 'ada@example.com' })
  const { customer_id, product_id, checkout_id } = (await service.api(`/subscriptions/${subscription}`)).body.data
  const [payment] = (await service.api('/payment')).body.data.data
  const hook = { name: 'Orders', url: 'https://shop.example/hooks', events: ['*'] }
  const webhook = (await service.api('/webhooks', { body: hook })).body.data.id
  const paths = [
    `/subscriptions/${subscription}`,
    `/subscriptions?customer_id=${customer_id}`,
    `/subscriptions?customer_id=${customer_id}&status=active`,
    `/customers/${customer_id}`,
    '/customers',
    '/customers?email=ada@example.com',
    `/customers/${customer_id}/access/${product_id}`,
    `/product/${product_id}`,
    '/products?status=active',
    `/checkout/${checkout_id}`,
    '/checkout?status=completed',
    `/payment/${payment.id}`,
    `/payments?customer_id=${customer_id}`,
    `/payments?subscription_id=${subscription}&limit=1`,
    `/webhooks/${webhook}`,
    '/webhooks',
    '/refunds',
    '/exceptions',
    '/payouts',
    '/payout_destinations',
    '/payout_schedules',
    '/price_changes',
    '/approvals',
    '/limits',
    '/merchant',
  ]
  return { paths, subscription }
}

describe('a question about another moment', () => {
  it('is answered by what was known as it was answered then, and by what was true', async () => {
    const { paths, subscription } = await belongings()
    await advance(1)
    const answered = await Promise.all(paths.map(get))
    const then = await clock()
    await advance(40 * 24 * 60 * 60)
    const { customer_id, product_id } = (await service.api(`/subscriptions/${subscription}`)).body.data
    await service.api(`/product/${product_id}`, { method: 'PUT', body: { name: 'Renamed', price_amount: 9 } })
    await service.api(`/customers/${customer_id}`, { method: 'PUT', body: { name: 'Ada King' } })
    await service.api('/merchant', { method: 'PUT', body: { legal_name: 'Books Ltd' } })
    await service.api(`/subscriptions/${subscription}/cancel`, { method: 'POST', body: { at: 'now' } })
    const now = await Promise.all(paths.map(get))
    expect(
      now.filter(({ body }, index) => JSON.stringify(body) !== JSON.stringify(answered[index]?.body)).length,
    ).toBeGreaterThan(8)
    for (const moment of [`known_at=${then}`, `at=${then}`, `at=${then}&known_at=${then}`]) {
      const believed = await Promise.all(paths.map((path) => get(at(path, moment))))
      expect(believed.map(({ status, body }) => withoutSync({ status, body }))).toEqual(
        answered.map(({ status, body }) => withoutSync({ status, body })),
      )
    }
  })

  it('is refused for a time that is none, and for what nobody can know yet', async () => {
    for (const name of ['at', 'known_at']) {
      expect(await service.api(`/products?${name}=yesterday`)).toMatchObject({
        status: 400,
        body: problem('invalid_request', name),
      })
    }
    const ahead = new Date(Date.parse(await clock()) + 60_000).toISOString()
    expect(await service.api(`/products?known_at=${ahead}`)).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'known_at'),
    })
    expect((await service.api(`/products?at=${ahead}`)).status).toBe(200)
  })

  it('can be asked wherever a merchant reads what the log holds', async () => {
    const { paths }: OpenApi = (await service.anyone('/openapi.json')).body
    const timeless = Object.entries(paths).flatMap(([path, { get: read }]) => {
      const isKeyed = read?.security.some((each) => Object.hasOwn(each, 'key')) === true
      const names = read?.parameters.map(({ name }) => name) ?? []
      return isKeyed && !(names.includes('at') && names.includes('known_at')) ? [path] : []
    })
    const ofOneMomentAlready = /(history|timeline)$|^\/(evidence|events|reports)/
    const inNoLog = /^\/(assets|balance|currencies|sandbox|settlement)|\/(deliveries|export)$/
    expect(timeless.filter((path) => !ofOneMomentAlready.test(path) && !inNoLog.test(path))).toEqual([])
  })

  it('is asked by the client, of all that it reads', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.facts.api_key })
    const product = await client.products.create({
      name: 'Before',
      type: 'one_time',
      currency_code: 'EUR',
      price_amount: 12.5,
    })
    const then = await clock()
    await advance(60)
    await client.products.update(product.id, { name: 'After' })
    const before = client.asOf({ known_at: then })
    expect(await before.products.retrieve(product.id)).toEqual(product)
    const { data } = await before.products.list({ limit: 1 }).page()
    expect(data).toEqual([product])
    expect((await client.asOf({ at: new Date(then) }).products.retrieve(product.id)).name).toBe('Before')
    expect((await before.merchant.retrieve()).name).toBe((await client.merchant.retrieve()).name)
  })
})
