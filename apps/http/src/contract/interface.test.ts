import { endpoints, objects } from '../testing/interface.ts'
import { memberClient, ownersSession } from '../testing/members.ts'
import { type Service, startService } from '../testing/service.ts'
import type { OpenApi } from '../wire/openapi/document.ts'

const values: ReadonlyArray<readonly [string, string]> = [
  ['Product.object', 'product'],
  ['Product.type', 'one_time subscription metered'],
  ['Product.status', 'active archived'],
  ['Product.recurring_period', 'day week month year'],
  ['Product.environment', 'testnet mainnet'],
  ['Customer.object', 'customer'],
  ['Checkout.object', 'checkout'],
  ['Checkout.status', 'open completed expired failed'],
  ['Subscription.object', 'subscription'],
  ['Subscription.status', 'trialing active past_due overdue paused canceled'],
  ['Payment.object', 'payment'],
  ['Payment.status', 'pending confirmed failed'],
  ['LineItem.status', 'pending confirmed failed'],
  ['Refund.object', 'refund'],
  ['Refund.status', 'pending succeeded failed'],
  ['Webhook.object', 'webhook'],
  ['CustomerList.object', 'list'],
  ['OneTimeGrant.type', 'one_time'],
  ['SubscriptionGrant.type', 'subscription'],
  ['SubscriptionGrant.status', 'active trialing paused'],
]

const prefixes: ReadonlyArray<readonly [string, string]> = [
  ['Product.id', 'prod_'],
  ['Customer.id', 'cus_'],
  ['Wallet.id', 'cwl_'],
  ['Checkout.id', 'chk_'],
  ['Subscription.id', 'sub_'],
  ['Payment.id', 'pay_'],
  ['PaymentMethod.id', 'cwl_'],
  ['LineItem.id', 'ref_'],
  ['Refund.id', 'rf_'],
  ['Webhook.id', 'wh_'],
]

let service: Service
let reference: OpenApi
beforeAll(async () => {
  service = await startService()
  reference = (await service.anyone('/openapi.json')).body
})
afterAll(() => service.close())

/** A field such as `Product.id` as its schema tells it; of what may be null as well, what else it may be. */
const schemaOf = (path: string) => {
  const [object = '', field = ''] = path.split('.')
  const schema = JSON.parse(JSON.stringify(reference.components.schemas[object])).properties[field]
  return schema.anyOf?.[0] ?? schema
}

describe('the reference of the service', () => {
  it.each(Object.entries(objects))('the reference has the documented fields of %s', (object, fields) => {
    const { properties } = JSON.parse(JSON.stringify(reference.components.schemas[object]))
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields.split(' ')))
  })

  it.each(values)('the reference has the documented values of %s: %s, and no others', (path, expected) => {
    const schema = schemaOf(path)
    expect(schema.enum ?? [schema.const]).toEqual(expected.split(' '))
  })

  it.each(prefixes)('the reference has the documented prefix of %s: %s', (path, prefix) => {
    expect(schemaOf(path).pattern).toMatch(new RegExp(`^\\^${prefix}\\[`))
  })

  it('the reference has the documented endpoints, each with a response of 200', () => {
    const served = Object.entries(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        '200' in responses ? [`${method} ${path}`] : [],
      ),
    )
    expect(served).toEqual(expect.arrayContaining(endpoints))
  })
})

describe('every list', () => {
  it('every list returns ten records by default, and up to a hundred', () => {
    const limits = Object.values(reference.paths).flatMap(
      ({ get }) => get?.parameters.filter(({ name }) => name === 'limit') ?? [],
    )
    const schema = { type: 'integer', minimum: 1, maximum: 100, default: 10 }
    expect(limits.length).toBeGreaterThan(6)
    for (const limit of limits) expect(limit).toMatchObject({ in: 'query', required: false, schema })
  })

  it('every list has the same pages and the same filter by time', async () => {
    const lists = Object.entries(reference.paths).flatMap(([path, { get }]) =>
      JSON.stringify(get?.parameters ?? []).includes('created[gte]') && !path.includes('{') ? [path] : [],
    )
    expect(lists.length).toBeGreaterThan(6)
    const query = 'limit=1&created[gte]=2026-01-01T00:00:00Z&created[lt]=2099-01-01T00:00:00Z'
    const answers = await Promise.all(
      lists.map(async (path) => {
        const client = path === '/api_keys' ? memberClient(service, await ownersSession(service)) : service.api
        const { status, body } = await client(
          `${path}?${query}${path === '/subscriptions' ? '&customer_id=cus_none' : ''}`,
        )
        return { path, status, object: body.data?.object, url: body.data?.url }
      }),
    )
    expect(answers).toEqual(lists.map((path) => ({ path, status: 200, object: 'list', url: path })))
  })
})
