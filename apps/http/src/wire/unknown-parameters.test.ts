import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'
import type { OpenApi } from './openapi/document.ts'
import type { Operation } from './openapi/operation.ts'

let service: Service
let reference: OpenApi
let customer: string
let access: string
beforeAll(async () => {
  service = await startService()
  reference = (await service.anyone('/openapi.json')).body
  customer = (await service.api('/customers', { body: { email: 'ada@example.com', name: 'Ada' } })).body.data.id
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const product = await service.api('/product', { body: book })
  access = `/customers/${customer}/access/${product.body.data.id}`
})
afterAll(() => service.close())

const refusal = async (path: string) => {
  const { status, body } = await service.api(path)
  return { status, param: body.param, error: body.error }
}
const parametersOf = ({ parameters }: Operation): ReadonlyArray<string> =>
  parameters.flatMap(({ name, in: place }) => (place === 'query' ? [String(name)] : []))

describe('an unknown query parameter', () => {
  it('is refused by every route that takes a key, by the names of those that it has', async () => {
    const routes = Object.entries(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        operation.security.some((each) => Object.hasOwn(each, 'key'))
          ? [{ path: path.replaceAll(/\{\w+\}/g, 'x'), method, known: parametersOf(operation) }]
          : [],
      ),
    )
    expect(routes.length).toBeGreaterThan(80)
    const answers = await Promise.all(
      routes.map(async ({ path, method }) => {
        const { status, body } = await service.api(`${path}?nobody_has=1`, { method: method.toUpperCase() })
        return { path, method, status, body }
      }),
    )
    const none = 'There is no query parameter "nobody_has" here'
    expect(answers).toEqual(
      routes.map(({ path, method, known }) => ({
        path,
        method,
        status: 400,
        body: {
          ...problem('invalid_request', 'nobody_has'),
          error: known.length === 0 ? `${none}: there are none` : `${none}. Known are: ${known.join(', ')}`,
        },
      })),
    )
  })

  it('is refused by a public list', async () => {
    const assets = '/pay/chk_0000000000000000000000/assets'
    const { status, body } = await service.anyone(`${assets}?account=GA&asset_id=native`)
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        ...problem('invalid_request', 'asset_id'),
        error: 'There is no query parameter "asset_id" here. Did you mean "asset_ids"? Known are: account, asset_ids',
      },
    })
  })

  it('is ignored by pages and probes, since mail programs and monitors add their own', async () => {
    const sale = await service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM' } })
    const pages = [
      `/pay/${sale.body.data.id}`,
      `/pay/${sale.body.data.id}/status`,
      `/portal/entry?merchant=${service.facts.merchant_id}&environment=testnet`,
      '/health',
      '/docs',
    ]
    const asked = pages.map((page) => `${page}${page.includes('?') ? '&' : '?'}utm_source=a&utm_source=b&__proto__=1`)
    const statuses = await Promise.all(asked.map(async (page) => (await service.anyone(page)).status))
    expect(statuses).toEqual([200, 200, 200, 200, 200])
  })

  it('is refused after a reused idempotency key, and takes no key', async () => {
    const headers = { 'idempotency-key': 'judged' }
    const body = { name: 'A pen', type: 'one_time', currency_code: 'EUR', price_amount: 1 }
    const refused = await service.api('/product?draft=true', { body, headers })
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: problem('invalid_request', 'draft'),
    })
    expect((await service.api('/product', { body, headers })).status).toBe(200)
    const reused = await service.api('/product?draft=true', { body, headers })
    expect({ status: reused.status, body: reused.body }).toEqual({
      status: 422,
      body: problem('idempotency_key_reused'),
    })
  })

  it.each([
    ['customerId', 'customer_id'],
    ['costumer', 'customer'],
    ['created[gt]', 'created[gte]'],
    ['starting_afer', 'starting_after'],
    ['Status', 'status'],
  ])('is answered with the name that was probably meant: %s', async (given, meant) =>
    expect(await refusal(`/payment?${given}=x`)).toEqual({
      status: 400,
      param: given,
      error: `There is no query parameter "${given}" here. Did you mean "${meant}"? Known are: customer_id, customer, status, subscription_id, subscription, limit, starting_after, ending_before, created[gte], created[lt], at, known_at`,
    }),
  )

  it.each([
    ['a prototype', '__proto__=1'],
    ['a prototype of an array', 'constructor[prototype][a]=1'],
    ['an array', 'limit[]=1', ' Did you mean "limit"?'],
    ['a very long name', `${'x'.repeat(5_000)}=1`],
    ['markup', '%3Cscript%3E=1'],
    ['a line break', 'limit%0d%0aset-cookie:a=1'],
    ['two lines', 'limit%0a=1', ' Did you mean "limit"?'],
    ['an email', 'ada@example.com=1'],
    ['no name', '=1'],
  ])('is not repeated when it is %s', async (_, query, hint = '') => {
    const { status, body, headers } = await service.api(`/product?${query}`)
    const known = 'status, limit, starting_after, ending_before, created[gte], created[lt], at, known_at'
    expect({ status, body, cookie: headers.get('set-cookie') }).toEqual({
      status: 400,
      body: {
        ...problem('invalid_request', 'query'),
        error: `A query parameter is unknown here.${hint} Known are: ${known}`,
      },
      cookie: null,
    })
  })

  it('is refused where one asks for access at a moment', async () => {
    expect((await service.api(`${access}?at=2020-01-01T00:00:00Z`)).status).toBe(200)
    expect(await refusal(`${access}?att=2020-01-01T00:00:00Z`)).toEqual({
      status: 400,
      param: 'att',
      error: 'There is no query parameter "att" here. Did you mean "at"? Known are: at, known_at',
    })
  })
})

describe('a query parameter', () => {
  it.each([
    ['/payment', 'customer'],
    ['/payment', 'customer_id'],
    ['/payment', 'subscription_id'],
    ['/payment', 'status'],
    ['/checkout', 'customer'],
    ['/refunds', 'payment_id'],
    ['/refunds', 'payment'],
    ['/subscriptions', 'customer_id'],
    ['/subscriptions', 'customer'],
    ['/events', 'resource_id'],
    ['/events', 'type'],
  ])('refuses an empty filter of %s: %s', async (path, parameter) =>
    expect(await service.api(`${path}?${parameter}=`)).toMatchObject({
      status: 400,
      body: problem('invalid_request', parameter),
    }),
  )

  it.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit=&limit=1'])('must be given once: %s', async (query) =>
    expect(await refusal(`/product?${query}`)).toEqual({
      status: 400,
      param: 'limit',
      error: '"limit" must be given once',
    }),
  )
})

describe('a filter by an id', () => {
  const aliases: ReadonlyArray<readonly [path: string, name: string, alias: string]> = [
    ['/payment', 'customer_id', 'customer'],
    ['/payments', 'subscription_id', 'subscription'],
    ['/checkout', 'customer_id', 'customer'],
    ['/subscriptions', 'customer_id', 'customer'],
    ['/refunds', 'payment_id', 'payment'],
    ['/price_changes', 'product_id', 'product'],
    ['/payouts', 'asset_id', 'asset'],
    ['/events', 'resource_id', 'resource'],
  ]

  it.each(aliases)('of %s is taken as %s and as %s', async (path, name, alias) => {
    const one = await service.api(`${path}?${name}=${customer}`)
    const other = await service.api(`${path}?${alias}=${customer}`)
    const both = await service.api(`${path}?${alias}=${customer}&${name}=${customer}`)
    expect([one.status, other.status, both.status]).toEqual([200, 200, 200])
    expect([other.body, both.body]).toEqual([one.body, one.body])
  })

  it.each(aliases)('of %s refuses %s that differs from %s', async (path, name, alias) =>
    expect(await refusal(`${path}?${alias}=${customer}&${name}=other`)).toEqual({
      status: 400,
      param: name,
      error: `"${alias}" and "${name}" mean the same: give one`,
    }),
  )
})
