import { minuteMs } from '@quittance/domain'
import { problem, type Request } from '../testing/client.ts'
import { provenDestination } from '../testing/destination.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet } from '../testing/wallet.ts'

let service: Service
let operator: Operator
beforeAll(async () => {
  service = await startService()
  operator = await openOperator(service.dataDir)
})
afterAll(async () => {
  await operator.close()
  await service.close()
})

const password = 'a sentence is a good password'
const ownPage = { 'sec-fetch-site': 'same-origin' }
type Role = 'owner' | 'admin' | 'developer' | 'support' | 'viewer'
let made = 0

const asks =
  (cookie: string) =>
  (path: string, request: Request = {}) =>
    service.anyone(path, { ...request, headers: { cookie, ...ownPage, ...request.headers } })

const join = async (url: string) => {
  const token = url.split('#')[1] ?? ''
  const { body, headers } = await service.anyone('/session/join', { body: { token, name: 'Ada', password } })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  return { id: String(body.data.member.id), cookie, ask: asks(cookie) }
}
/** Somebody whom the operator has invited: a person of their own. */
const member = async (role: Role, merchantId = service.facts.merchant_id) => {
  const email = `member-${++made}@keys.example`
  const invited = await operator.platform.billing.team.members.inviteByOperator(merchantId, { email, role })
  if (invited._tag === 'Left') throw new Error(invited.left._tag)
  return join(invited.right.url)
}
type Asking = Awaited<ReturnType<typeof member>>

const secretKey = { kind: 'secret', name: 'Shop' }
const appToken = (...scopes: ReadonlyArray<string>) => ({ kind: 'app', name: 'Reports', scopes })
const make = async ({ ask }: Asking, body: object) => (await ask('/api_keys', { body })).body.data
const asKey = (secret: string, path: string, body?: object) =>
  service.anyone(path, { headers: { 'x-api-key': secret }, ...(body === undefined ? {} : { body }) })
const asToken = (secret: string, path: string, body?: object) =>
  service.anyone(path, { headers: { 'x-app-token': secret }, ...(body === undefined ? {} : { body }) })
const invalidKey = { status: 401, body: problem('invalid_api_key') }
const invalidToken = { status: 401, body: problem('invalid_app_token') }

const machinesClock = Date.now
afterEach(() => {
  Date.now = machinesClock
})
/** Teams go by the machine's clock. */
const later = (ms: number): void => {
  Date.now = () => machinesClock() + ms
}

describe('an API key', () => {
  it('is made by a member, shown once, used, and refused once it is revoked', async () => {
    const admin = await member('admin')
    const key = await make(admin, secretKey)
    const shown = {
      id: expect.stringMatching(/^key_\w{22}$/),
      object: 'api_key',
      status: 'active',
      kind: 'secret',
      name: 'Shop',
      scopes: [],
      begins_with: 'sk_test_',
      ends_with: key.secret.slice(-4),
      made_by: admin.id,
      last_used_at: null,
      valid_until: null,
      revoked_at: null,
      environment: 'testnet',
      created_at: expect.any(String),
    }
    expect(key).toEqual({ ...shown, secret: expect.stringMatching(/^sk_test_[\w-]{43}$/) })
    expect((await asKey(key.secret, '/product')).status).toBe(200)
    const listed = (await admin.ask('/api_keys?status=active')).body.data
    expect(listed.data[0]).toEqual({ ...shown, last_used_at: expect.any(String) })
    expect(JSON.stringify(listed)).not.toContain(key.secret)
    expect(listed.data.at(-1)).toMatchObject({ made_by: null, name: null, kind: 'secret' })

    const revoked = await admin.ask(`/api_keys/${key.id}/revoke`, { method: 'POST' })
    expect(revoked.body.data).toEqual({
      ...shown,
      status: 'revoked',
      last_used_at: expect.any(String),
      revoked_at: expect.any(String),
    })
    expect(await asKey(key.secret, '/product')).toMatchObject(invalidKey)
    expect((await admin.ask(`/api_keys/${key.id}/revoke`, { method: 'POST' })).body.data).toEqual(revoked.body.data)
    const history = (await admin.ask('/merchant/history?limit=100')).body.data.data
    expect(history).toContainEqual(expect.objectContaining({ type: 'ApiKeyCreated', actor: admin.id }))
    expect(history).toContainEqual(expect.objectContaining({ type: 'ApiKeyRevoked', actor: admin.id }))
  })

  it('is replaced by one with the same rights, and both count until the first ends', async () => {
    const admin = await member('admin')
    const token = await make(admin, appToken('payments:read'))
    const replace = (body: object) => admin.ask(`/api_keys/${token.id}/replace`, { body })
    const next = (await replace({ overlap_hours: 1 })).body.data
    expect(next).toMatchObject({ kind: 'app', name: 'Reports', scopes: ['payments:read'], made_by: admin.id })
    for (const { secret } of [token, next]) expect((await asToken(secret, '/payment')).status).toBe(200)
    expect(await replace({})).toMatchObject({ status: 409, body: problem('key_ended') })
    await service.api('/sandbox/advance', { body: { seconds: 3_600 } })
    expect(await asToken(token.secret, '/payment')).toMatchObject(invalidToken)
    expect((await asToken(next.secret, '/payment')).status).toBe(200)
    await admin.ask(`/api_keys/${next.id}/revoke`, { method: 'POST' })
    expect(await admin.ask(`/api_keys/${next.id}/replace`, { body: {} })).toMatchObject({
      status: 409,
      body: problem('key_ended'),
    })
  })

  it.each<[object, string]>([
    [{ kind: 'app', name: 'A' }, 'scopes'],
    [{ kind: 'app', name: 'A', scopes: [] }, 'scopes'],
    [{ kind: 'app', name: 'A', scopes: ['payments:burn'] }, 'scopes'],
    [{ kind: 'secret', name: 'A', scopes: ['payments:read'] }, 'scopes'],
    [{ kind: 'secret' }, 'name'],
    [{ name: 'A' }, 'kind'],
  ])('is not made of %j', async (body, param) => {
    const admin = await member('admin')
    expect(await admin.ask('/api_keys', { body })).toMatchObject({
      status: 400,
      body: problem('invalid_request', param),
    })
  })

  it('of the mainnet is made where there is one', async () => {
    const admin = await member('admin')
    const headers = { 'x-environment': 'mainnet' }
    expect(await admin.ask('/api_keys', { body: secretKey, headers })).toMatchObject({
      status: 503,
      body: problem('network_not_configured'),
    })
    expect((await admin.ask('/api_keys', { headers })).body.data.data).toEqual([])
  })
})

describe('a role', () => {
  it('of owners and admins makes any key, and of others none but app tokens of developers', async () => {
    const refused = { status: 403, body: problem('scope_missing') }
    for (const role of ['support', 'viewer'] as const) {
      const each = await member(role)
      for (const body of [secretKey, appToken('payments:read')])
        expect(await each.ask('/api_keys', { body })).toMatchObject(refused)
      expect((await each.ask('/api_keys')).status).toBe(200)
    }
    const developer = await member('developer')
    expect(await developer.ask('/api_keys', { body: secretKey })).toMatchObject(refused)
    expect(await developer.ask('/api_keys', { body: appToken('webhooks:write', 'refunds:write') })).toMatchObject(
      refused,
    )
    const headers = { 'x-environment': 'mainnet' }
    expect(await developer.ask('/api_keys', { body: appToken('payments:read'), headers })).toMatchObject(refused)
    const token = await make(developer, appToken('webhooks:write', 'payments:read'))
    expect((await asToken(token.secret, '/payment')).status).toBe(200)
    const owner = await member('owner')
    expect((await owner.ask('/api_keys', { body: secretKey })).status).toBe(200)
  })

  it('of developers revokes their own keys, and of owners and admins all', async () => {
    const [admin, developer] = [await member('admin'), await member('developer')]
    const [key, token] = [await make(admin, secretKey), await make(developer, appToken('payments:read'))]
    const revoke = ({ ask }: Asking, id: string) => ask(`/api_keys/${id}/revoke`, { method: 'POST' })
    expect(await revoke(developer, key.id)).toMatchObject({ status: 403, body: problem('scope_missing') })
    expect((await revoke(developer, token.id)).status).toBe(200)
    const { keyId } = await operator.createKey(service.facts.merchant_id)
    expect((await revoke(admin, keyId)).status).toBe(200)
    expect(await revoke(admin, 'key_7nQe4Cw0XbDq1yLZs5Tt0u')).toMatchObject({ status: 404, body: problem('not_found') })
  })

  it('bounds the keys that were made under a higher one, and gives them back with it', async () => {
    const [owner, admin] = [await member('owner'), await member('admin')]
    const [key, token] = [await make(admin, secretKey), await make(admin, appToken('payments:read', 'products:write'))]
    const become = (role: Role) => owner.ask(`/members/${admin.id}`, { body: { role } })
    await become('developer')
    expect(await asKey(key.secret, '/product')).toMatchObject(invalidKey)
    expect((await asToken(token.secret, '/payment')).status).toBe(200)
    const product = { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 1 }
    expect(await asToken(token.secret, '/product', product)).toMatchObject({
      status: 403,
      body: problem('scope_missing'),
    })
    await become('viewer')
    expect(await asToken(token.secret, '/payment')).toMatchObject(invalidToken)
    await become('admin')
    expect((await asKey(key.secret, '/product')).status).toBe(200)
    expect((await asToken(token.secret, '/product', product)).status).toBe(200)
  })
})

describe('who has stolen', () => {
  it('a session makes, replaces and revokes no key a quarter of an hour after the sign-in', async () => {
    const admin = await member('admin')
    const { id } = await make(admin, secretKey)
    const requests: ReadonlyArray<[string, Request]> = [
      ['/api_keys', { body: secretKey }],
      [`/api_keys/${id}/replace`, { body: {} }],
      [`/api_keys/${id}/revoke`, { method: 'POST' }],
    ]
    later(16 * minuteMs)
    for (const [path, request] of requests)
      expect(await admin.ask(path, request)).toMatchObject({ status: 403, body: problem('sign_in_again') })
    expect((await admin.ask('/api_keys')).status).toBe(200)
    later(14 * minuteMs)
    for (const [path, request] of requests) expect((await admin.ask(path, request)).status).toBe(200)
  })

  it('a key makes no key, and a page of another site none for its visitor', async () => {
    const admin = await member('admin')
    const key = await make(admin, secretKey)
    for (const headers of [{ 'x-api-key': key.secret }, { 'x-app-token': key.secret }])
      expect(await service.anyone('/api_keys', { body: secretKey, headers })).toMatchObject({
        status: 401,
        body: problem('unauthorized'),
      })
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }])
      expect(
        await service.anyone('/api_keys', { body: secretKey, headers: { cookie: admin.cookie, ...headers } }),
      ).toMatchObject({ status: 401, body: problem('unauthorized') })
  })

  it('a key of a member who is removed has nothing, and nobody else’s key ends', async () => {
    const [owner, admin, other] = [await member('owner'), await member('admin'), await member('admin')]
    const [key, kept] = [await make(admin, secretKey), await make(other, secretKey)]
    expect((await owner.ask(`/members/${admin.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await asKey(key.secret, '/product')).toMatchObject(invalidKey)
    expect((await asKey(kept.secret, '/product')).status).toBe(200)
    const { data } = (await owner.ask('/api_keys?status=revoked&limit=100')).body.data
    expect(data).toContainEqual(expect.objectContaining({ id: key.id, made_by: admin.id, status: 'revoked' }))
  })

  it('a session of another merchant’s reaches no key here', async () => {
    const { merchantId } = await operator.createMerchant('Other')
    const [stranger, admin] = [await member('owner', merchantId), await member('admin')]
    const { id } = await make(admin, secretKey)
    for (const [path, request] of [
      [`/api_keys/${id}/replace`, { body: {} }],
      [`/api_keys/${id}/revoke`, { method: 'POST' }],
    ] as const)
      expect(await stranger.ask(path, request)).toMatchObject({ status: 404, body: problem('not_found') })
    expect(await stranger.ask(`/api_keys?starting_after=${id}`)).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'starting_after'),
    })
    const { data } = (await stranger.ask('/api_keys')).body.data
    expect(data).toMatchObject([{ made_by: null }])
  })
})

describe('where a second person is asked for', () => {
  const limit = (amount: string | null) =>
    service.api('/limits', { method: 'PUT', body: { scope: 'merchant', amount } })

  it('a key stands for the member who has made it, and for the person who has invited them', async () => {
    const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    const wallet = await fundedWallet(service.facts, [usdc])
    const sale = await openSale(service, { amount: 100, currency_code: 'USDC' })
    await wallet.pay(sale)
    await completed(service, sale.id)
    const destination = await provenDestination(service, wallet)
    expect((await limit('1')).status).toBe(200)

    const [owner, other] = [await member('owner'), await member('admin')]
    const invitation = await owner.ask('/members', { body: { email: 'friend@keys.example', role: 'admin' } })
    const friend = await join(invitation.body.data.url)
    const payout = { asset_id: usdc, amount: '10', destination }
    const key = await make(owner, secretKey)
    const next = (await owner.ask(`/api_keys/${(await make(owner, secretKey)).id}/replace`, { body: {} })).body.data
    const requests = [
      await owner.ask('/payouts', { body: payout }),
      await asKey(key.secret, '/payouts', payout),
      await asKey(next.secret, '/payouts', payout),
    ]
    const approvals = requests.map(({ body }) => String(body.data.approval_id))
    const own = [
      (path: string) => owner.ask(path, { body: {} }),
      (path: string) => asKey(key.secret, path, {}),
      (path: string) => asKey(next.secret, path, {}),
      async (path: string) => asToken((await make(owner, appToken('approvals:write'))).secret, path, {}),
      (path: string) => friend.ask(path, { body: {} }),
      async (path: string) => asKey((await make(friend, secretKey)).secret, path, {}),
    ]
    for (const id of approvals) {
      expect((await owner.ask(`/approvals/${id}`)).body.data.requested_by).toBe(owner.id)
      for (const approve of own)
        expect(await approve(`/approvals/${id}/approve`)).toMatchObject({
          status: 403,
          body: problem('approval_by_requester'),
        })
    }
    const [first = '', second = '', third = ''] = approvals
    const othersKey = await make(other, secretKey)
    expect((await other.ask(`/approvals/${first}/approve`, { body: {} })).status).toBe(200)
    expect((await asKey(othersKey.secret, `/approvals/${second}/approve`, {})).status).toBe(200)
    expect((await service.api(`/approvals/${third}/approve`, { body: {} })).status).toBe(200)
  }, 60_000)

  it('nobody takes over a key of the operator or of another person', async () => {
    const [admin, other] = [await member('admin'), await member('admin')]
    const operators = await operator.createKey(service.facts.merchant_id)
    const { id } = await make(other, secretKey)
    for (const each of [operators.keyId, id])
      expect(await admin.ask(`/api_keys/${each}/replace`, { body: {} })).toMatchObject({
        status: 403,
        body: problem('key_of_another'),
      })
  })

  it('a member’s key has no limit of its own', async () => {
    const admin = await member('admin')
    const { id } = await make(admin, secretKey)
    expect(await service.api('/limits', { method: 'PUT', body: { scope: id, amount: '5' } })).toMatchObject({
      status: 404,
      body: problem('not_found'),
    })
  })
})
