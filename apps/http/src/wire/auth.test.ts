import { scopes } from '@quittance/billing/scopes'
import { clientOf, problem, type Request } from '../testing/client.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { eventually } from '../testing/eventually.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'
import { type DeclaredRoute, guardRoutes } from './auth.ts'
import { createServer } from './server.ts'

let service: Service
let operator: Operator
let routes: ReadonlyArray<DeclaredRoute>
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir, { hasMainnet: true })
  routes = await declaredRoutes(operator)
})
afterAll(async () => {
  await operator.close()
  await service.close()
})

const publicRoutes = [
  'GET /',
  'GET /.well-known/stellar.toml',
  'GET /.well-known/transparency-keys',
  'GET /dashboard',
  'GET /dashboard/*',
  'GET /dashboard/assets/:name',
  'GET /docs',
  'GET /health',
  'GET /openapi.json',
  'GET /pay/:id',
  'GET /pay/:id/assets',
  'GET /pay/:id/events',
  'GET /pay/:id/outcome',
  'GET /pay/:id/qr.svg',
  'GET /pay/:id/quote',
  'GET /pay/:id/receipt',
  'GET /pay/:id/receipt.pdf',
  'GET /pay/:id/status',
  'GET /portal/:token',
  'GET /portal/entry',
  'GET /portal/entry/code',
  'GET /quickstart',
  'GET /ready',
  'GET /receipts/:token',
  'GET /receipts/:token/receipt.pdf',
  'GET /sandbox/inbox',
  'GET /sandbox/inbox/:mail',
  'GET /session/entry',
  'GET /transparency/checkpoint',
  'GET /transparency/tile/*',
  'POST /pay/:id/customer',
  'POST /pay/:id/submit',
  'POST /pay/:id/transaction',
  'POST /portal/entry',
  'POST /portal/entry/verify',
  'POST /session',
  'POST /session/join',
  'POST /session/passkey',
  'POST /session/passkey/options',
  'POST /session/recover',
  'POST /session/sandbox',
]
const namesOf = (auth: string) =>
  routes
    .filter((route) => route.auth.kind === auth && route.method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url}`)

describe('every route', () => {
  it('every route takes a key, unless it is public', () => {
    expect(
      namesOf('none')
        .filter((name) => !name.startsWith('GET /assets/') && !/\.(js|css)$/.test(name))
        .sort(),
    ).toEqual(publicRoutes)
    expect(namesOf('key').length).toBeGreaterThan(20)
  })

  it.each([
    ['without a key', {}, 'unauthorized'],
    ['with an empty key', { 'x-api-key': '' }, 'unauthorized'],
    ['with an empty app token', { 'x-app-token': '' }, 'unauthorized'],
    ['with a bad app token', { 'x-app-token': 'app_test_x' }, 'invalid_app_token'],
    ['with a bad key', { 'x-api-key': 'sk_test_bad' }, 'invalid_api_key'],
    ['with a key that is no key at all', { 'x-api-key': "' OR 1=1 --" }, 'invalid_api_key'],
  ])('answers 401 %s before any other error, if the route takes a key', async (_, headers, code) => {
    const guarded = routes.filter(({ auth }) => auth.kind === 'key')
    const answers = await Promise.all(
      guarded.map(async ({ method, url }) => {
        const path = url.replaceAll(/:\w+/g, 'x')
        const hasBody = method === 'POST' || method === 'PUT'
        const answer = await service.anyone(path, { method, headers, ...(hasBody ? { body: '{malformed' } : {}) })
        return { method, path, status: answer.status, body: method === 'HEAD' ? null : answer.body }
      }),
    )
    expect(answers).toEqual(
      answers.map(({ method, path }) => ({
        method,
        path,
        status: 401,
        body: method === 'HEAD' ? null : problem(code),
      })),
    )
  })

  it('refuses to start with a route that does not declare its credential', async () => {
    const server = createServer('silent')
    guardRoutes(server, operator.platform.billing)
    expect(() => server.get('/unguarded', async () => null)).toThrow('GET /unguarded does not say which credential')
  })

  it('reports a missing key in the words of the interface', async () => {
    expect((await service.anyone('/product')).body.error).toBe('Session Token or API Key or App Token required')
  })
})

describe('keys', () => {
  const productOf = async (api: Service['api']) =>
    (await api('/product', { body: { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 1 } })).body.data
      .id

  it('refuses a revoked key', async () => {
    const { secret, keyId } = await operator.createKey(service.facts.merchant_id)
    const api = clientOf(service.url, secret)
    expect((await api('/product')).status).toBe(200)
    await operator.revokeKey(service.facts.merchant_id, keyId)
    const { status, body } = await api('/product')
    expect({ status, body }).toEqual({ status: 401, body: problem('invalid_api_key') })
    expect((await service.api('/product')).status).toBe(200)
  })

  it('accepts no key as an app token, nor the other way round', async () => {
    const { secret } = await operator.createKey(service.facts.merchant_id, { scopes: ['payments:read'] })
    const asKey = await clientOf(service.url, secret)('/payment')
    expect([asKey.status, asKey.body]).toEqual([401, problem('invalid_api_key')])
    const asToken = await service.anyone('/payment', { headers: { 'x-app-token': service.facts.api_key } })
    expect([asToken.status, asToken.body]).toEqual([401, problem('invalid_app_token')])
  })

  it('refuses a key beside an app token, since they might name two merchants', async () => {
    const { secret } = await operator.createKey(service.facts.merchant_id, { scopes: ['payments:read'] })
    const { status, body } = await service.api('/payment', { headers: { 'x-app-token': secret } })
    expect([status, body]).toEqual([400, problem('two_credentials')])
  })

  it('a key reveals nothing about another merchant, not even its existence', async () => {
    const { secret } = await operator.createMerchant('Another merchant')
    const stranger = clientOf(service.url, secret)
    const product = await productOf(service.api)
    const customer = (await service.api('/customers', { body: { email: 'a@b.example', name: 'A' } })).body.data.id
    const session = (await service.api('/checkout?type=product', { body: { product_id: product } })).body.data.id
    const answerTo = async (path: string, request: Request = {}) => {
      const { status, body } = await stranger(path, request)
      return { status, body: { ...body, request_id: null } }
    }
    const nobodys = (id: string) => `${id.slice(0, -4)}0000`
    const [noProduct, noCustomer, noSession] = [nobodys(product), nobodys(customer), nobodys(session)]
    const asked = [
      ['GET', `/product/${product}`, `/product/${noProduct}`],
      ['GET', `/customers/${customer}`, `/customers/${noCustomer}`],
      ['DELETE', `/customers/${customer}`, `/customers/${noCustomer}`],
      ['GET', `/customers/${customer}/access/${product}`, `/customers/${noCustomer}/access/${product}`],
      ['GET', `/checkout/${session}`, `/checkout/${noSession}`],
      ['POST', `/checkout/${session}/expire`, `/checkout/${noSession}/expire`],
    ] as const
    for (const [method, path, unknown] of asked) {
      const { status, body } = await stranger(path, { method })
      expect({ method, path, status, body }).toEqual({ method, path, status: 404, body: problem('not_found') })
      expect(await answerTo(path, { method })).toEqual(await answerTo(unknown, { method }))
    }
    const own = await productOf(stranger)
    for (const [body, unknown, param] of [
      [{ product_id: product }, { product_id: noProduct }, 'product_id'],
      [{ product_id: own, customer_id: customer }, { product_id: own, customer_id: noCustomer }, 'customer_id'],
    ] as const) {
      const sale = '/checkout?type=product'
      const answer = await stranger(sale, { body })
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: problem('not_found', param) })
      expect(await answerTo(sale, { body })).toEqual(await answerTo(sale, { body: unknown }))
    }
    for (const list of ['/customers', '/checkout', `/checkout?customer=${customer}`, '/payment']) {
      expect((await stranger(list)).body.data.data).toEqual([])
    }
    const after = `/checkout?starting_after=${session}`
    expect((await stranger(after)).status).toBe(400)
    expect(await answerTo(after)).toEqual(await answerTo(`/checkout?starting_after=${noSession}`))
    expect((await service.api(`/customers/${customer}`)).status).toBe(200)
  })

  it('a key reaches its own environment alone', async () => {
    const { secret } = await operator.createKey(service.facts.merchant_id, { network: 'mainnet' })
    const live = clientOf(service.url, secret)
    const product = await productOf(service.api)
    expect(secret).toMatch(/^sk_live_/)
    expect((await live(`/product/${product}`)).status).toBe(404)
    expect((await live('/product')).body.data.data).toEqual([])
    const { status, body } = await live('/checkout?type=direct', { body: { amount: 5, currency_code: 'EUR' } })
    expect({ status, body }).toEqual({ status: 503, body: problem('network_not_configured') })
  })
})

describe('app tokens', () => {
  const tokenWith = async (...scopes: ReadonlyArray<string>) => {
    const { secret, keyId } = await operator.createKey(service.facts.merchant_id, { scopes })
    const api: Service['api'] = (path, request = {}) =>
      service.anyone(path, { ...request, headers: { ...request.headers, 'x-app-token': secret } })
    return { api, keyId }
  }

  it('allows an app token what its scopes allow, until it is revoked', async () => {
    const { api, keyId } = await tokenWith('customers:write', 'payments:read')
    const created = await api('/customers', { body: { email: 'app@b.example', name: 'A' } })
    expect([created.status, (await api('/payment')).status]).toEqual([200, 200])
    await operator.revokeKey(service.facts.merchant_id, keyId)
    const { status, body } = await api('/payment')
    expect([status, body]).toEqual([401, problem('invalid_app_token')])
  })

  it('refuses an app token with the missing scope before it reads the request', async () => {
    const { api } = await tokenWith('customers:write')
    const { status, body } = await api('/customers')
    expect([status, body]).toEqual([
      403,
      { ...problem('scope_missing'), error: 'The app token lacks the scope customers:read' },
    ])
    expect((await api('/checkout', { body: '{malformed' })).body).toEqual(problem('scope_missing'))
  })

  it('refuses to move the clock of the sandbox by an app token, whatever its scopes', async () => {
    const { api } = await tokenWith(...scopes)
    const { status, body } = await api('/sandbox/advance', { body: { seconds: 1 } })
    const error = 'This takes a secret key in "x-api-key", and no app token'
    expect([status, body]).toEqual([403, { ...problem('scope_missing'), error }])
    expect((await api('/product')).status).toBe(200)
  })
})

describe('the last use of a credential', () => {
  it('shows the operator the last use of a credential', async () => {
    const { secret, keyId } = await operator.createKey(service.facts.merchant_id)
    const { merchants } = operator.platform.billing
    expect(await merchants.lastUsed(keyId)).toBeNull()
    await clientOf(service.url, secret)('/product')
    expect(
      await eventually(
        async () => merchants.lastUsed(keyId),
        (used) => used !== null,
      ),
    ).toEqual(expect.any(Number))
  })
})
