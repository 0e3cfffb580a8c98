import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

describe('the portal', () => {
  let service: Service
  let customer: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    const body = { email: `${crypto.randomUUID()}@shop.example`, name: 'Ada Lovelace' }
    customer = (await service.api('/customers', { body })).body.data.id
  })

  const invited = async () => (await service.api(`/customers/${customer}/portal`, { method: 'POST' })).body.data
  const visit = (url: string, method = 'GET') => fetch(url, { method, redirect: 'manual' })
  const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const shown = (cookie: string) => fetch(`${service.url}/portal`, { headers: { cookie } })

  it('is opened by the merchant, without a body', async () => {
    expect(await invited()).toEqual({
      object: 'portal_session',
      url: expect.stringMatching(`^${service.url}/portal/[\\w-]{43}$`),
      token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    const nobody = await service.api('/customers/cus_7nQe4Cw0XbDq1yLZs5Tt0u/portal', { method: 'POST' })
    expect([nobody.status, nobody.body]).toEqual([404, problem('not_found')])
  })

  it('leaves the visitor a cookie that no script reads, and an address without the token', async () => {
    const response = await visit((await invited()).url)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/portal'])
    expect(response.headers.get('set-cookie')).toMatch(
      /^quittance_portal=[\w-]{43}; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    )
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('shows the customer what is theirs, and no name', async () => {
    const page = await shown(cookieOf(await visit((await invited()).url)))
    const text = await page.text()
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    expect(text).toContain('There is no payment yet.')
    expect(text).not.toMatch(/Lovelace|shop\.example/)
  })

  it('lets one in of several who visit at the same time', async () => {
    const { url } = await invited()
    const responses = await Promise.all([1, 2, 3, 4].map(() => visit(url)))
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410])
    expect(responses.map(cookieOf).filter((cookie) => cookie !== '')).toHaveLength(1)
  })

  it('is not used up by who only looks at the address', async () => {
    const { url } = await invited()
    expect((await visit(url, 'HEAD')).status).toBe(404)
    expect((await visit(url)).status).toBe(303)
  })

  it('says that it is closed after the visit, with a wrong token, and without a session', async () => {
    const { url, token } = await invited()
    await visit(url)
    const closed = [await visit(url), await visit(`${service.url}/portal/wrong`)]
    const strangers = [await shown(''), await shown('quittance_portal=wrong'), await shown(`quittance_portal=${token}`)]
    expect(closed.map(({ status }) => status)).toEqual([410, 410])
    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401])
    for (const each of [...closed, ...strangers]) expect(await each.text()).toContain('This page is closed')
  })

  it('closes five minutes after the invitation, an hour after the visit, and with the customer', async () => {
    const [late, visited, last] = [await invited(), await invited(), await invited()]
    const cookie = cookieOf(await visit(visited.url))
    const leaving = cookieOf(await visit(last.url))
    const advance = (seconds: number) => service.api('/sandbox/advance', { body: { seconds } })
    await advance(301)
    expect((await visit(late.url)).status).toBe(410)
    expect((await shown(cookie)).status).toBe(200)
    await service.api(`/customers/${customer}`, { method: 'DELETE' })
    expect((await shown(leaving)).status).toBe(401)
    await advance(3_300)
    expect((await shown(cookie)).status).toBe(401)
  })
})
