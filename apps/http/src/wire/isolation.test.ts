import { scopes } from '@quittance/billing/scopes'
import { type Belongings, bodyOf, type Kind, openBelongings, pathOf } from '../testing/belongings.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'
import type { DeclaredRoute } from './auth.ts'

let service: Service
let operator: Operator
let routes: ReadonlyArray<DeclaredRoute>
let victims: Belongings
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir, { hasMainnet: true })
  routes = (await declaredRoutes(operator)).filter(({ auth }) => auth.kind === 'key')
  victims = await openBelongings(service)
})
afterAll(async () => {
  await operator.close()
  await service.close()
})

type Outcome = { readonly status: number; readonly text: string }

const ask = async (
  { method, url }: DeclaredRoute,
  owned: Belongings,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const hasBody = method === 'POST' || method === 'PUT'
  const query = url === '/checkout' && method === 'POST' ? '?type=product' : ''
  const response = await fetch(`${service.url}${pathOf(url, owned)}${query}`, {
    method,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: JSON.stringify(bodyOf(owned)) } : {}),
  })
  return { status: response.status, text: await response.text() }
}

/** An answer without what differs from one request to the next. */
const plain = ({ status, text }: Outcome) => ({
  status,
  text: text
    .replaceAll(/req_[\w-]{36}/g, 'req')
    .replaceAll(/isolation-\w+@/g, 'isolation@')
    .replaceAll(/\b[a-z]{2,4}_[0-9A-Za-z]{22}\b/g, 'id')
    .replaceAll(/"transaction":"[\w+/=]+"/g, 'challenge')
    .replaceAll(/whsec_[\w+/=-]+/g, 'secret')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
})

/** Ids of the same form, which nobody has. */
const nobodys = (owned: Belongings): Belongings => {
  const other = (kind: Kind): string => `${owned[kind].slice(0, -4)}0000`
  return {
    product: other('product'),
    customer: other('customer'),
    checkout: other('checkout'),
    payment: other('payment'),
    wallet: other('wallet'),
    exception: other('exception'),
    webhook: other('webhook'),
    delivery: other('delivery'),
    refund: other('refund'),
    event: other('event'),
    payout: other('payout'),
    destination: other('destination'),
    approval: other('approval'),
    asset: 'USDC:GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    subscription: other('subscription'),
    priceChange: other('priceChange'),
  }
}

/** What a credential gets of each route for the victim's ids, and for ids that nobody has. */
const outcomesFor = async (headersOf: (route: DeclaredRoute) => Promise<Readonly<Record<string, string>>>) => {
  const outcomes = []
  for (const route of routes) {
    const headers = await headersOf(route)
    const got = await ask(route, victims, headers)
    outcomes.push({
      name: `${route.method} ${route.url}`,
      isAboutVictim: route.url.includes(':'),
      takesKeyAlone: route.auth.kind === 'key' && route.auth.scope === null,
      got,
      nothing: await ask(route, nobodys(victims), headers),
    })
  }
  return outcomes
}

const lists = [
  'customers',
  'product',
  'checkout',
  'payment',
  'refunds',
  'exceptions',
  'webhooks',
  'events',
  'payouts',
  'payout_destinations',
  'approvals',
]

/** All that the victim has; when the ledger was last read is nobody's. */
const everything = async (): Promise<ReadonlyArray<string>> =>
  Promise.all(
    [...lists.map((list) => `${list}?`), `subscriptions?customer_id=${victims.customer}&`].map(async (list) => {
      const { body } = await service.api(`/${list}limit=100`)
      return JSON.stringify(body.data.data).replaceAll(/"synced_at":"[^"]+"/g, '')
    }),
  )

type Credential = () => Promise<(route: DeclaredRoute) => Promise<Readonly<Record<string, string>>>>

const always =
  (headers: () => Promise<Readonly<Record<string, string>>>): Credential =>
  async () => {
    const given = await headers()
    return async () => given
  }
const portalToken = async () =>
  (await service.api(`/customers/${victims.customer}/portal`, { method: 'POST' })).body.data.token
const withoutScope: Credential = async () => {
  const tokens = new Map<string, string>()
  return async ({ auth }) => {
    const lacking = auth.kind === 'key' ? (auth.scope ?? '') : ''
    const known = tokens.get(lacking)
    const token =
      known ??
      (await operator.createKey(service.facts.merchant_id, { scopes: scopes.filter((scope) => scope !== lacking) }))
        .secret
    tokens.set(lacking, token)
    return { 'x-app-token': token }
  }
}
const revoked = async () => {
  const { secret, keyId } = await operator.createKey(service.facts.merchant_id)
  await operator.revokeKey(service.facts.merchant_id, keyId)
  return { 'x-api-key': secret }
}
const portalSession = async () => {
  const visit = await fetch(`${service.url}/portal/${await portalToken()}`, { redirect: 'manual' })
  return { cookie: visit.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

describe('every route that takes a key', () => {
  const refused: ReadonlyArray<readonly [string, number, Credential]> = [
    ['no credential', 401, always(async () => ({}))],
    ['garbage for a key', 401, always(async () => ({ 'x-api-key': 'sk_test_garbage' }))],
    ['garbage for a token', 401, always(async () => ({ 'x-app-token': '\u00ff{}' }))],
    ['a revoked key', 401, always(revoked)],
    ["a customer's portal session", 401, always(portalSession)],
    ["a customer's portal token for a key", 401, always(async () => ({ 'x-api-key': await portalToken() }))],
    ["a customer's portal token for a token", 401, always(async () => ({ 'x-app-token': await portalToken() }))],
    ['an app token that has every scope but its own', 403, withoutScope],
  ]
  it.each(refused)('every route with a key answers %s with %d, whatever the request', async (_, status, credential) => {
    const before = await everything()
    const outcomes = await outcomesFor(await credential())
    expect(outcomes.length).toBeGreaterThan(25)
    for (const { name, got, nothing } of outcomes) {
      expect({ name, status: got.status }).toEqual({ name, status })
      expect({ name, ...plain(got) }).toEqual({ name, ...plain(nothing) })
    }
    expect(await everything()).toEqual(before)
  })

  const strangers: ReadonlyArray<readonly [string, Credential]> = [
    ["another merchant's key", always(async () => ({ 'x-api-key': (await operator.createMerchant('B')).secret }))],
    [
      "another merchant's app token with all scopes",
      always(async () => {
        const { merchantId } = await operator.createMerchant('C')
        return { 'x-app-token': (await operator.createKey(merchantId, { scopes })).secret }
      }),
    ],
    [
      "the key of the merchant's other environment",
      always(async () => ({
        'x-api-key': (await operator.createKey(service.facts.merchant_id, { network: 'mainnet' })).secret,
      })),
    ],
  ]
  it.each(strangers)('every route reveals nothing to %s, and does nothing for it', async (_, credential) => {
    const before = await everything()
    for (const { name, isAboutVictim, takesKeyAlone, got, nothing } of await outcomesFor(await credential())) {
      const told = takesKeyAlone && got.status === 403 ? 403 : 404
      if (isAboutVictim) expect({ name, status: got.status }).toEqual({ name, status: told })
      expect({ name, ...plain(got) }).toEqual({ name, ...plain(nothing) })
      const { asset: _, ...ids } = victims
      const learned = Object.values(ids).filter((id) => got.text.includes(id))
      expect({ name, learned }).toEqual({ name, learned: [] })
    }
    expect(await everything()).toEqual(before)
  })

  it("every route accepts the victim's own key, so the ids are real", async () => {
    const own = { 'x-api-key': service.facts.api_key }
    const lookups = routes.filter(({ method, url }) => method === 'GET' && url.includes(':'))
    for (const route of lookups) expect([route.url, (await ask(route, victims, own)).status]).toEqual([route.url, 200])
    expect(lookups.length).toBeGreaterThan(5)
  })
})
