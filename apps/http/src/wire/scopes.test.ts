import { readFileSync } from 'node:fs'
import { type Family, scopedResources, scopes } from '@quittance/billing/scopes'
import { type Belongings, bodyOf, openBelongings, pathOf, planted } from '../testing/belongings.ts'
import { problem } from '../testing/client.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'
import type { DeclaredRoute } from './auth.ts'
import type { OpenApi } from './openapi/document.ts'

let service: Service
let operator: Operator
let routes: ReadonlyArray<DeclaredRoute>
let owned: Belongings
/** Texts of payments: the hash of one, which stands in no other family. */
let hash: string
const tokens = new Map<string, string>()
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir)
  routes = (await declaredRoutes(operator)).filter(({ auth, method }) => auth.kind === 'key' && method !== 'HEAD')
  owned = await openBelongings(service)
  hash = (await service.api(`/payments/${owned.payment}`)).body.data.transaction_hash
})
afterAll(async () => {
  await operator.close()
  await service.close()
})

const tokenOf = async (...held: ReadonlyArray<string>): Promise<string> => {
  const known =
    tokens.get(held.join()) ?? (await operator.createKey(service.facts.merchant_id, { scopes: held })).secret
  tokens.set(held.join(), known)
  return known
}

type Ask = { readonly method?: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> }

/** An answer to a token with these scopes alone. */
const as =
  (...held: ReadonlyArray<string>) =>
  async (path: string, { headers = {}, ...request }: Ask = {}) =>
    service.anyone(path, { ...request, headers: { ...headers, 'x-app-token': await tokenOf(...held) } })

const queries: Readonly<Record<string, (of: Belongings) => string>> = {
  'POST /checkout': () => '?type=product',
  'GET /subscriptions': ({ customer }) => `?customer_id=${customer}`,
}

/** An empty change shows what there is. */
const emptyChange = new Set(['/customers/:id', '/product/:id', '/products/:id', '/subscriptions/:id', '/webhooks/:id'])

const requestOf = ({ method, url }: DeclaredRoute): readonly [path: string, request: Ask] => {
  const path = `${pathOf(url, owned)}${queries[`${method} ${url}`]?.(owned) ?? ''}`
  if (method !== 'POST' && method !== 'PUT') return [path, { method }]
  return [path, { method, body: method === 'PUT' && emptyChange.has(url) ? {} : bodyOf(owned) }]
}

/** The families of what stands in an answer without being the token's to read. */
const leaksIn = (text: string, held: ReadonlyArray<string>): ReadonlyArray<Family> => {
  const texts: Readonly<Partial<Record<Family, ReadonlyArray<string>>>> = { ...planted, payments: [hash] }
  return scopedResources.filter(
    (family) => !held.includes(`${family}:read`) && texts[family]?.some((each) => text.includes(each)),
  )
}

const written = {
  product: { name: 'P', type: 'one_time', currency_code: 'EUR', price_amount: 1 },
  checkout: { amount: 1, currency_code: 'XLM' },
  customer: { email: 'new@scopes.example', name: 'N' },
  customers: [{ email: 'newer@scopes.example', name: 'N' }],
}
const hook = { name: 'H', url: 'https://token.example/hook', events: ['product.created'] }

/** What an answer shows of other families, and the scope that shows it. */
const embedded: Readonly<Record<string, string>> = {
  'GET /customers/{id}/export':
    '`access:read`, `subscriptions:read`, `checkouts:read`, `payments:read`, `refunds:read`, `exceptions:read`: the parts of each, and their history; null without',
  'GET /payment': '`customers:read`: `billing_details`, `payment_method_details`; `refunds:read`: `line_items`',
  'GET /subscriptions/{id}':
    '`products:read`: `product`; `payments:read`: `last_attempt`, as `GET /payment/{id}` shows it',
  'GET /settlement/signatures': '`refunds:read`, `payouts:read`, `exceptions:read` (returns): the requests of each',
  'GET /events': 'each event: the scope of its resource, as a route of that resource would show it',
  'GET /webhooks/{id}/deliveries': 'each delivery: the scope of its event; `response_body`: all that the event shows',
}

/** A history shows whatever belongs to its resource. */
const ofHistories = (path: string): string | undefined =>
  path !== '/subscriptions/{id}/history' && /\/(history|timeline)$/.test(path)
    ? 'each entry: the scope of its resource, and of the money that it names'
    : undefined

/** The row of the guide for a route that takes app tokens. */
const rowOf = ({ components, paths }: OpenApi, path: string, method: string): string => {
  const operation = paths[path]?.[method]
  const route = `${method.toUpperCase()} ${path}`
  const named = [...(operation?.description ?? '').matchAll(/`(\w+:\w+)`/g)].map(([scope]) => scope)
  const answer = JSON.stringify(operation?.responses[200] ?? {})
  const [, receipt] = /schemas\/(\w+Receipt)"/.exec(answer) ?? []
  const fields = Object.keys(Object(receipt === undefined ? {} : components.schemas[receipt]?.properties))
  const withheld = receipt === undefined ? '' : `without read: ${fields.map((field) => `\`${field}\``).join(', ')}`
  const more =
    Object.entries(embedded).find(([each]) => route === each || route === `${each}/{id}`)?.[1] ?? ofHistories(path)
  return `| \`${route}\` | ${named.join(', ')} | ${[withheld, more ?? ''].join('')} |`.replace('|  |', '| |')
}

describe('the guide to credentials', () => {
  it('says for each route which scopes it needs, and what each shows', async () => {
    const document: OpenApi = (await service.anyone('/openapi.json')).body
    const rows = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { security }]) =>
        security.some((each) => 'appToken' in each) && !/^.(products|payments)\b/.test(path)
          ? [rowOf(document, path, method)]
          : [],
      ),
    )
    expect(rows.length).toBeGreaterThan(50)
    expect(readFileSync('docs/credentials.md', 'utf8').split('\n')).toEqual(expect.arrayContaining(rows))
  })
})

describe('an app token', () => {
  it('finds what it may read, so the planted texts are there', async () => {
    const answers = await Promise.all(
      routes.filter(({ method }) => method === 'GET').map((route) => service.api(...requestOf(route))),
    )
    expect(leaksIn(JSON.stringify(answers.map(({ body }) => body)), []).toSorted()).toEqual(
      [...Object.keys(planted), 'payments'].toSorted(),
    )
  })

  it.each([
    ['a customer', 'customers', 'POST /customers', written.customer, 'id object'],
    ['customers', 'customers', 'POST /customers', written.customers, 'id object'],
    ['a product', 'products', 'POST /product', written.product, 'id object'],
    ['a checkout', 'checkouts', 'POST /checkout?type=direct', written.checkout, 'expires_at id object payment_url'],
    ['the settlement', 'settlement', 'PUT /settlement', { assets: ['native'] }, 'object'],
  ])('that writes %s and may not read it learns what it needs to go on', async (_, family, route, body, fields) => {
    const [method = '', path = ''] = route.split(' ')
    const { data } = (await as(`${family}:write`)(path, { method, body })).body
    expect(
      Object.keys(Array.isArray(data) ? data[0] : data)
        .sort()
        .join(' '),
    ).toBe(fields)
  })

  it('gets a payment without its customer and its refunds, and a subscription without product and payment', async () => {
    const payment = (held: ReadonlyArray<string>) => as(...held)(`/payments/${owned.payment}`)
    const whole = (await service.api(`/payments/${owned.payment}`)).body.data
    expect([whole.billing_details.email, whole.line_items.length]).toEqual(['victim@kill.example', 1])
    // Its receipt shows both.
    const lacking = { ...whole, receipt_url: null }
    const nobody = { billing_details: null, payment_method_details: null }
    expect((await payment(['payments:read'])).body.data).toEqual({ ...lacking, ...nobody, line_items: [] })
    expect((await payment(['payments:read', 'refunds:read'])).body.data).toEqual({ ...lacking, ...nobody })
    expect((await payment(['payments:read', 'customers:read'])).body.data).toEqual({ ...lacking, line_items: [] })
    const { data } = (await as('subscriptions:read')(`/subscriptions/${owned.subscription}`)).body
    expect(data).toMatchObject({ related_resources: { product: null, asset: { code: 'USDC' } }, last_attempt: null })
  })

  it('finds in the list of events those of the resources that it may read', async () => {
    const types = async (...held: ReadonlyArray<string>) => {
      const { data } = (await as('events:read', ...held)('/events?limit=100')).body.data
      return [...new Set(data.map(({ type }: { type: string }) => type.split('.')[0]))].toSorted()
    }
    expect(await types()).toEqual([])
    expect(await types('customers:read')).toEqual(['customer', 'payment_method'])
    expect(await types('refunds:read', 'products:read')).toEqual(['price_change', 'product', 'refund'])
    const read = as('events:read', 'customers:read')
    expect((await read('/events?type=customer.created')).body.data.data.length).toBeGreaterThan(0)
    for (const path of [`/events?resource_id=${owned.payment}`, '/events?type=payment.confirmed'])
      expect((await read(path)).body.data.data).toEqual([])
    expect(await read(`/events/${owned.event}`)).toMatchObject({ status: 404, body: problem('not_found') })
    const after = await read(`/events?after=${owned.event}`)
    expect(after).toMatchObject({ status: 400, body: problem('invalid_request', 'after') })
    const payments = await as('events:read', 'payments:read')(`/events/${owned.event}`)
    expect(payments.body.data.data).toMatchObject({ billing_details: null, line_items: [] })
  })

  it('learns from a refusal its code, and no facts that it may not read', async () => {
    const taken = { email: 'victim@kill.example', name: 'N' }
    const refund = { payment_id: owned.payment }
    const refusals = [
      await as('customers:write')('/customers', { body: taken }),
      await as('refunds:write')('/refunds', { body: refund }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'email_taken'],
      [409, 'refund_exists'],
    ])
    for (const { body } of refusals) expect(body.error).toMatch(/^Refused, for a reason that only a holder of/)
    const reader = await as('customers:write', 'customers:read')('/customers', { body: taken })
    expect(reader.body.error).toContain(owned.customer)
  })

  it('cannot find out by a checkout whether an email is that of a customer', async () => {
    const sale = { amount: 1, currency_code: 'XLM', customer_id: owned.customer }
    const sell = (token: ReturnType<typeof as>, customer_email: string) =>
      token('/checkout?type=direct', { body: { ...sale, customer_email } })
    for (const guess of ['victim@kill.example', 'other@kill.example'])
      expect(await sell(as('checkouts:write'), guess)).toMatchObject({
        status: 403,
        body: {
          ...problem('scope_missing', 'customer_email'),
          error:
            'The app token lacks the scope customers:read, which comparing an email with a customer\'s needs: leave "customer_id" or "customer_email" out',
        },
      })
    const reader = as('checkouts:write', 'customers:read')
    expect((await sell(reader, 'victim@kill.example')).status).toBe(200)
    expect(await sell(reader, 'other@kill.example')).toMatchObject({ status: 400, body: problem('email_mismatch') })
    expect((await as('checkouts:write')('/checkout?type=direct', { body: sale })).status).toBe(200)
  })

  it('cannot invite to a portal that shows more than it may read', async () => {
    const path = `/customers/${owned.customer}/portal`
    const all = ['customers:write', 'customers:read', 'payments:read', 'subscriptions:read', 'subscriptions:write']
    expect((await as(...all)(path, { method: 'POST' })).status).toBe(200)
    for (const missing of all) {
      const refused = await as(...all.filter((each) => each !== missing))(path, { method: 'POST' })
      expect([refused.status, refused.body.error]).toEqual([403, `The app token lacks the scope ${missing}`])
    }
  })

  it('does not get the answer to another credential by repeating its request', async () => {
    const request = { body: { ...hook, name: 'Mine' }, headers: { 'idempotency-key': 'shared' } }
    const made = await service.api('/webhooks', request)
    expect(made.status).toBe(200)
    const [one, other] = [as('webhooks:write', 'products:read'), as('webhooks:write')]
    for (const thief of [one, other])
      expect(await thief('/webhooks', request)).toMatchObject({ status: 422, body: problem('idempotency_key_reused') })
    const own = { ...request, headers: { 'idempotency-key': 'own' } }
    const first = await one('/webhooks', own)
    expect(first.status).toBe(200)
    expect((await one('/webhooks', own)).body).toEqual(first.body)
  })

  it('selects for an endpoint only events that it may read, and does not redirect an endpoint of more', async () => {
    const token = as('webhooks:write', 'products:read')
    const lacks = (scope: string, event: string) => ({
      status: 403,
      body: {
        ...problem('scope_missing', 'events'),
        error: `The app token lacks the scope ${scope}, which "${event}" needs`,
      },
    })
    for (const [events, scope, event] of [
      [['customer.created'], 'customers:read', 'customer.created'],
      [['product.created', 'payment.confirmed'], 'payments:read', 'payment.confirmed'],
      [['subscription.*'], 'subscriptions:read', 'subscription.created'],
      [['*'], 'customers:read', 'customer.created'],
    ] as const)
      expect(await token('/webhooks', { body: { ...hook, events } })).toMatchObject(lacks(scope, event))
    const { id } = (await token('/webhooks', { body: hook })).body.data
    const put = (at: string, body: object) => token(`/webhooks/${at}`, { method: 'PUT', body })
    expect(await put(id, { events: ['customer.created'] })).toMatchObject(lacks('customers:read', 'customer.created'))
    expect((await put(id, { url: 'https://token.example/other' })).status).toBe(200)
    const stolen = await put(owned.webhook, { url: 'https://thief.example/' })
    expect(stolen).toMatchObject(lacks('payments:read', 'payment.confirmed'))
    expect((await put(owned.webhook, { name: 'Renamed' })).status).toBe(200)
  })

  it('gets no field of a family that it may not read, from any route', async () => {
    const leaks: Array<string> = []
    let answered = 0
    // Deletions come last: what they remove is planted no more.
    for (const isDeletion of [false, true])
      for (const scope of scopes)
        for (const route of routes.filter(({ method }) => (method === 'DELETE') === isDeletion)) {
          const [path, request] = requestOf(route)
          const { status, body } = await as(scope)(path, request)
          if (status === 200) answered++
          for (const family of leaksIn(JSON.stringify(body), [scope]))
            leaks.push(`${scope} got ${family} by ${route.method} ${route.url} (${status})`)
        }
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(50)
  })
})
