import { request } from 'node:http'
import { Secret, TOTP } from 'otpauth'
import { authenticator } from '../testing/authenticator.ts'
import { problem, type Request } from '../testing/client.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'

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

/** The link's token of somebody whom the operator has invited. */
const invited = async (email: string, role: Role, merchantId = service.facts.merchant_id): Promise<string> => {
  const made = await operator.platform.billing.team.members.inviteByOperator(merchantId, { email, role })
  if (made._tag === 'Left') throw new Error(made.left._tag)
  return made.right.url.split('#')[1] ?? ''
}
const cookieOf = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''

/** Somebody of the team, with a session. */
const joined = async (email: string, role: Role) => {
  const token = await invited(email, role)
  const { body, headers } = await service.anyone('/session/join', { body: { token, name: 'Ada', password } })
  const cookie = cookieOf(headers)
  const ask = (path: string, request: Request = {}) =>
    service.anyone(path, { ...request, headers: { cookie, ...ownPage, ...request.headers } })
  return { id: body.data.member.id, cookie, token: cookie.split('=')[1] ?? '', ask }
}
const signIn = (body: object) => service.anyone('/session', { body })
const product = { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 1 }

describe('a member', () => {
  it('joins by the link of an invitation, once, and signs in by the password from then on', async () => {
    const token = await invited('Ada@Team.example', 'owner')
    const join = () => service.anyone('/session/join', { body: { token, name: 'Ada', password } })
    const first = await join()
    const session = {
      object: 'session',
      member: { id: expect.stringMatching(/^mem_/), email: 'Ada@Team.example', name: 'Ada', role: 'owner' },
      merchant_id: service.facts.merchant_id,
      merchant_name: expect.any(String),
      scopes: expect.arrayContaining(['payments:read', 'settlement:write']),
      environments: ['testnet'],
      expires_at: expect.any(String),
    }
    expect([first.status, first.body.data]).toEqual([200, session])
    expect(first.headers.get('set-cookie')).toMatch(
      /^quittance_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect(await join()).toMatchObject({ status: 400, body: problem('invitation_invalid', 'token') })
    const again = await signIn({ email: 'ada@team.example ', password })
    expect([again.status, again.body.data]).toEqual([200, session])
    const cookie = cookieOf(again.headers)
    expect((await service.anyone('/session', { headers: { cookie } })).body.data).toEqual(session)
    const out = await service.anyone('/session', { method: 'DELETE', headers: { cookie, ...ownPage } })
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^quittance_session=; .*Max-Age=0/),
    ])
    expect(await service.anyone('/session', { headers: { cookie } })).toMatchObject({
      status: 401,
      body: problem('invalid_session'),
    })
  })

  it('is answered as a stranger is where email or password is wrong, and at last must wait', async () => {
    await joined('bob@team.example', 'viewer')
    const refused = { status: 401, body: problem('sign_in_refused') }
    expect(await signIn({ email: 'bob@team.example', password: 'not it' })).toMatchObject(refused)
    expect(await signIn({ email: 'nobody@team.example', password })).toMatchObject(refused)
    const invitedOnly = await invited('carol@team.example', 'viewer')
    expect(invitedOnly).toMatch(/^mem_/)
    expect(await signIn({ email: 'carol@team.example', password })).toMatchObject(refused)
    for (const email of ['bob@team.example', 'nobody@team.example']) {
      for (let n = 0; n < 9; n += 1) await signIn({ email, password: 'not it' })
      expect(await signIn({ email, password })).toMatchObject({ status: 429, body: problem('too_many_sign_ins') })
    }
  })

  it('does what the role may, by routes of keys, and no more', async () => {
    const [support, viewer, admin] = [
      await joined('support@team.example', 'support'),
      await joined('viewer@team.example', 'viewer'),
      await joined('admin@team.example', 'admin'),
    ]
    const customer = (email: string) => ({ body: { email, name: 'C' } })
    expect((await support.ask('/customers', customer('one@shop.example'))).status).toBe(200)
    expect(await viewer.ask('/customers', customer('two@shop.example'))).toMatchObject({
      status: 403,
      body: { ...problem('scope_missing'), error: 'The role lacks the scope customers:write' },
    })
    expect((await viewer.ask('/customers')).status).toBe(200)
    expect((await support.ask('/product', { body: product })).status).toBe(403)
    expect((await admin.ask('/product', { body: product })).status).toBe(200)
    expect(await support.ask('/sandbox/clock')).toMatchObject({ status: 403, body: problem('scope_missing') })
    expect((await admin.ask('/sandbox/clock')).status).toBe(200)
    for (const each of [support, viewer, admin])
      expect(await each.ask('/members')).toMatchObject({ status: 403, body: problem('owner_needed') })
  })

  it('is recorded as the actor of what they do', async () => {
    const admin = await joined('actor@team.example', 'admin')
    const { id } = (await admin.ask('/product', { body: product })).body.data
    const [entry] = (await admin.ask(`/product/${id}/history`)).body.data.data
    expect(entry).toMatchObject({ actor: admin.id, actor_type: 'member' })
  })

  it('names the network by a header', async () => {
    const admin = await joined('network@team.example', 'admin')
    const { id } = (await admin.ask('/product', { body: product })).body.data
    const at = (environment: string) => admin.ask(`/product/${id}`, { headers: { 'x-environment': environment } })
    expect([(await at('testnet')).status, (await at('mainnet')).status]).toEqual([200, 404])
    expect(await at('moonnet')).toMatchObject({ status: 400, body: problem('invalid_request', 'x-environment') })
  })
})

describe('a session', () => {
  it('in a cookie changes something only for a page of the service itself', async () => {
    const admin = await joined('pages@team.example', 'admin')
    const ask = (headers: Record<string, string>) =>
      service.anyone('/product', { body: product, headers: { cookie: admin.cookie, ...headers } })
    const none = { status: 401, body: problem('unauthorized') }
    expect(await ask({})).toMatchObject(none)
    expect(await ask({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toMatchObject(none)
    expect(await ask({ 'sec-fetch-site': 'same-site' })).toMatchObject(none)
    expect((await ask({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await ask({ origin: new URL(service.url).origin })).status).toBe(200)
  })

  it('in the header is one credential, and beside a key one too many', async () => {
    const { token } = await joined('header@team.example', 'admin')
    const headers = { 'x-session-token': token }
    expect((await service.anyone('/product', { body: product, headers })).status).toBe(200)
    expect(await service.api('/product', { headers })).toMatchObject({ status: 400, body: problem('two_credentials') })
    expect(await service.anyone('/product', { headers: { 'x-session-token': 'x' } })).toMatchObject({
      status: 401,
      body: problem('invalid_session'),
    })
  })

  it('ends with a new password, which gives another one', async () => {
    const member = await joined('change@team.example', 'viewer')
    const other = await signIn({ email: 'change@team.example', password })
    const changed = await member.ask('/member/password', { body: { new_password: 'another good sentence' } })
    expect(changed.body.data).toMatchObject({ object: 'own_member', has_password: true })
    for (const cookie of [member.cookie, cookieOf(other.headers)])
      expect((await service.anyone('/session', { headers: { cookie } })).status).toBe(401)
    expect((await service.anyone('/session', { headers: { cookie: cookieOf(changed.headers) } })).status).toBe(200)
    expect((await signIn({ email: 'change@team.example', password })).status).toBe(401)
    expect((await signIn({ email: 'change@team.example', password: 'another good sentence' })).status).toBe(200)
    expect(await member.ask('/member/password', { body: { new_password: 'short' } })).toMatchObject({ status: 401 })
  })
})

describe('an owner', () => {
  it('invites, changes and removes members, at once', async () => {
    const owner = await joined('owner@team.example', 'owner')
    const made = await owner.ask('/members', { body: { email: 'new@team.example', role: 'support' } })
    expect(made.body.data).toEqual({
      object: 'invitation',
      member_id: expect.stringMatching(/^mem_/),
      email: 'new@team.example',
      role: 'support',
      url: expect.stringMatching(/\/dashboard\/join#mem_\w{22}\.[\w-]{43}$/),
      expires_at: expect.any(String),
    })
    expect(await owner.ask('/members', { body: { email: 'NEW@team.example', role: 'owner' } })).toMatchObject({
      status: 409,
      body: problem('email_taken', 'email'),
    })
    const token = made.body.data.url.split('#')[1]
    const { headers } = await service.anyone('/session/join', { body: { token, name: 'New', password } })
    const cookie = cookieOf(headers)
    const id = made.body.data.member_id
    const write = () =>
      service.anyone('/customers', {
        body: { email: `${Date.now()}@shop.example`, name: 'C' },
        headers: { cookie, ...ownPage },
      })
    expect((await write()).status).toBe(200)
    const changed = await owner.ask(`/members/${id}`, { body: { role: 'viewer' } })
    expect(changed.body.data).toEqual({
      object: 'member',
      id,
      email: 'new@team.example',
      name: 'New',
      role: 'viewer',
      status: 'active',
      has_second_factor: false,
      created_at: expect.any(String),
    })
    expect((await write()).status).toBe(403)
    expect((await owner.ask('/members')).body.data.data).toContainEqual(changed.body.data)
    expect((await owner.ask(`/members/${id}`, { method: 'DELETE' })).body.data).toEqual({
      id,
      object: 'member',
      deleted: true,
    })
    expect((await write()).status).toBe(401)
    expect((await signIn({ email: 'new@team.example', password })).status).toBe(401)
    expect((await owner.ask('/members')).body.data.data).not.toContainEqual(expect.objectContaining({ id }))
    expect((await owner.ask('/members', { body: { email: 'new@team.example', role: 'viewer' } })).status).toBe(200)
  })

  it('of another merchant reaches nobody here', async () => {
    const { merchantId } = await operator.createMerchant('Other')
    const token = await invited('stranger@other.example', 'owner', merchantId)
    const { headers } = await service.anyone('/session/join', { body: { token, name: 'S', password } })
    const stranger = { cookie: cookieOf(headers), ...ownPage }
    const victim = await joined('victim@team.example', 'viewer')
    for (const request of [{ method: 'DELETE' }, { body: { role: 'owner' } }])
      expect(await service.anyone(`/members/${victim.id}`, { ...request, headers: stranger })).toMatchObject({
        status: 404,
        body: problem('not_found'),
      })
    expect((await service.anyone('/members', { headers: stranger })).body.data.data).toHaveLength(1)
    const last = (await service.anyone('/session', { headers: stranger })).body.data.member.id
    for (const request of [{ method: 'DELETE' }, { body: { role: 'viewer' } }])
      expect(await service.anyone(`/members/${last}`, { ...request, headers: stranger })).toMatchObject({
        status: 409,
        body: problem('last_owner'),
      })
  })
})

describe('more than a password', () => {
  it('is the code of an authenticator app, each code once', async () => {
    const email = 'totp@team.example'
    const member = await joined(email, 'viewer')
    const { secret, uri } = (await member.ask('/member/totp', { method: 'POST' })).body.data
    expect(uri).toContain(`secret=${secret}`)
    expect((await signIn({ email, password })).status).toBe(200)
    const codeAt = (ms: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms })
    expect(await member.ask('/member/totp/confirm', { body: { code: '12345' } })).toMatchObject({
      status: 400,
      body: problem('code_invalid', 'code'),
    })
    const code = codeAt(0)
    expect((await member.ask('/member/totp/confirm', { body: { code } })).body.data.totp_is_on).toBe(true)
    expect(await signIn({ email, password })).toMatchObject({ status: 401, body: problem('code_needed', 'code') })
    expect(await signIn({ email, password: 'not it', code: codeAt(30_000) })).toMatchObject({
      status: 401,
      body: problem('sign_in_refused'),
    })
    const next = codeAt(30_000)
    expect((await signIn({ email, password, code: next })).status).toBe(200)
    for (const used of [code, next]) expect((await signIn({ email, password, code: used })).status).toBe(401)
    expect(await member.ask('/member/totp', { method: 'POST' })).toMatchObject({
      status: 409,
      body: problem('totp_is_on'),
    })
    expect((await member.ask('/member/totp', { method: 'DELETE' })).body.data.totp_is_on).toBe(false)
    expect((await signIn({ email, password })).status).toBe(200)
  })

  it('is a recovery code for whoever has lost everything else, once', async () => {
    const email = 'lost@team.example'
    const member = await joined(email, 'viewer')
    const { codes } = (await member.ask('/member/recovery_codes', { method: 'POST' })).body.data
    expect(new Set(codes).size).toBe(10)
    const recover = (recovery_code: string) =>
      service.anyone('/session/recover', { body: { email, recovery_code, new_password: 'another good sentence' } })
    const { headers, status } = await recover(codes[0].toLowerCase().replaceAll('-', ' '))
    expect(status).toBe(200)
    const own = await service.anyone('/member', { headers: { cookie: cookieOf(headers) } })
    expect(own.body.data.recovery_codes_left).toBe(9)
    expect((await member.ask('/session')).status).toBe(401)
    for (const wrong of [codes[0], '7K2M-9XQP-4TRW-8HBD'])
      expect(await recover(wrong)).toMatchObject({ status: 401, body: problem('sign_in_refused') })
    expect((await signIn({ email, password: 'another good sentence' })).status).toBe(200)
  })

  it('is a passkey, which signs in alone, and once for each challenge', async () => {
    const email = 'passkey@team.example'
    const member = await joined(email, 'viewer')
    const phone = authenticator(service.url)
    const challengeOf = async (ask: typeof member.ask, path: string) =>
      (await ask(path, { method: 'POST' })).body.data.options.challenge
    const challenge = await challengeOf(member.ask, '/member/passkeys/options')
    const add = () => member.ask('/member/passkeys', { body: { name: 'Phone', credential: phone.register(challenge) } })
    expect((await add()).body.data.passkeys).toEqual([
      { id: expect.any(String), name: 'Phone', created_at: expect.any(String), last_used_at: null },
    ])
    expect((await add()).status).toBe(400)
    expect(await signIn({ email, password })).toMatchObject({ status: 401, body: problem('passkey_needed') })
    const asked = await challengeOf(service.anyone, '/session/passkey/options')
    const answer = phone.signIn(asked, member.id)
    const enter = (credential: object) => service.anyone('/session/passkey', { body: { credential } })
    const refused = { status: 401, body: problem('sign_in_refused') }
    expect(await enter(phone.signIn(challenge, member.id))).toMatchObject(refused)
    const entered = await enter(answer)
    expect(entered.body.data.member.id).toBe(member.id)
    expect(await enter(answer)).toMatchObject(refused)
    const other = await joined('another@team.example', 'owner')
    expect(
      await enter(phone.signIn(await challengeOf(service.anyone, '/session/passkey/options'), other.id)),
    ).toMatchObject(refused)
    const cookie = cookieOf(entered.headers)
    const [{ id }] = (await service.anyone('/member', { headers: { cookie } })).body.data.passkeys
    const removed = await member.ask(`/member/passkeys/${id}`, { method: 'DELETE' })
    expect(removed.body.data.passkeys).toEqual([])
    expect((await signIn({ email, password })).status).toBe(200)
  })

  it('is refused by what is no passkey', async () => {
    const member = await joined('key@team.example', 'viewer')
    const credential = { id: 'dGVzdA', rawId: 'dGVzdA', type: 'public-key', response: {}, clientExtensionResults: {} }
    const { options } = (await member.ask('/member/passkeys/options', { method: 'POST' })).body.data
    expect(options).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none' })
    expect(await member.ask('/member/passkeys', { body: { name: 'Phone', credential } })).toMatchObject({
      status: 400,
      body: problem('passkey_refused', 'credential'),
    })
    const asked = (await service.anyone('/session/passkey/options', { method: 'POST' })).body.data.options
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const userHandle = Buffer.from(member.id).toString('base64url')
    for (const response of [{}, { userHandle }, { userHandle: 7 }])
      expect(
        await service.anyone('/session/passkey', { body: { credential: { ...credential, response } } }),
      ).toMatchObject({
        status: 401,
        body: problem('sign_in_refused'),
      })
    expect((await member.ask('/member/passkeys/dGVzdA', { method: 'DELETE' })).status).toBe(404)
  })
})

describe('a page that opens', () => {
  const entry = async (headers: Record<string, string>) =>
    (await service.anyone('/session/entry', { headers })).body.data

  it('is told whether somebody is signed in, without a refusal', async () => {
    const { cookie, ask } = await joined('entry@team.example', 'viewer')
    const told = (is_signed_in: boolean) => ({ object: 'session_entry', is_signed_in, is_at_the_sandbox: true })
    expect(await entry({})).toEqual(told(false))
    expect(await entry({ cookie })).toEqual(told(true))
    await ask('/session', { method: 'DELETE' })
    expect(await entry({ cookie })).toEqual(told(false))
  })

  it('is offered the sandbox at its machine alone', async () => {
    const told = (is_at_the_sandbox: boolean) => ({ object: 'session_entry', is_signed_in: false, is_at_the_sandbox })
    expect(await entry(ownPage)).toEqual(told(true))
    expect(await entry({ 'x-forwarded-for': '203.0.113.7' })).toEqual(told(false))
    expect(await entry({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toEqual(told(false))
  })
})

describe('in a sandbox', () => {
  const enter = (headers: Record<string, string> = {}) =>
    service.anyone('/session/sandbox', { method: 'POST', headers })

  it('the first visitor at the machine is an owner, and stays the same one', async () => {
    const first = await enter(ownPage)
    expect(first.body.data).toMatchObject({ merchant_id: service.facts.merchant_id, member: { role: 'owner' } })
    expect((await enter()).body.data.member).toEqual(first.body.data.member)
    const made = await service.anyone('/product', {
      body: product,
      headers: { cookie: cookieOf(first.headers), ...ownPage },
    })
    expect(made.status).toBe(200)
  })

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['whomever a proxy sends', { 'x-forwarded-for': '203.0.113.7' }],
  ])('%s signs nobody in', async (_, headers) =>
    expect(await enter(headers)).toMatchObject({ status: 403, body: problem('not_at_the_sandbox') }),
  )

  it('a name that leads here signs nobody in', async () => {
    const { hostname, port } = new URL(service.url)
    const status = await new Promise((resolve, reject) => {
      const asked = request(
        { hostname, port, path: '/session/sandbox', method: 'POST', headers: { host: 'rebound.example' } },
        (response) => resolve(response.statusCode),
      )
      asked.on('error', reject).end()
    })
    expect(status).toBe(403)
  })
})
