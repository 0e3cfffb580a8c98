import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'
import { overdueSubscription, subscribe } from '../testing/subscriber.ts'

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

  it('opens the portal for the merchant, without a body', async () => {
    expect(await invited()).toEqual({
      object: 'portal_session',
      url: expect.stringMatching(`^${service.url}/portal/[\\w-]{43}$`),
      token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
      return_url: null,
    })
    const nobody = await service.api('/customers/cus_7nQe4Cw0XbDq1yLZs5Tt0u/portal', { method: 'POST' })
    expect([nobody.status, nobody.body]).toEqual([404, problem('not_found')])
  })

  const invitedFor = (body: object) => service.api(`/customers/${customer}/portal`, { body })

  it('leads from the portal back to where the merchant wants it', async () => {
    const return_url = 'https://shop.example/account?tab=2&from=portal'
    const { data } = (await invitedFor({ return_url })).body
    expect(data.return_url).toBe(return_url)
    const cookie = cookieOf(await visit(data.url))
    for (const visits of [1, 2])
      expect([visits, await (await shown(cookie)).text()]).toEqual([
        visits,
        expect.stringContaining('<a href="https://shop.example/account?tab=2&amp;from=portal" rel="noreferrer"'),
      ])
  })

  it.each(['http://127.0.0.1:3001/back', 'http://localhost/back', 'http://[::1]/back'])(
    'leads back to a developer’s own machine: %s',
    async (return_url) => expect((await invitedFor({ return_url })).body.data).toMatchObject({ return_url }),
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://shop.example/',
    'http://127.0.0.1.shop.example/',
    '//shop.example',
    '/account',
    'https://',
    7,
  ])('refuses to lead back to %s', async (return_url) =>
    expect(await invitedFor({ return_url })).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'return_url'),
    }),
  )

  it('a visit to the portal sets a cookie that no script reads, and leads to an address without the token', async () => {
    const response = await visit((await invited()).url)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/portal'])
    expect(response.headers.get('set-cookie')).toMatch(
      /^quittance_portal=[\w-]{43}; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    )
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it("shows the customer's resources in the portal, and no name", async () => {
    const page = await shown(cookieOf(await visit((await invited()).url)))
    const text = await page.text()
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    expect(text).toContain('There is no payment yet.')
    expect(text).not.toMatch(/Lovelace|shop\.example/)
  })

  it('admits one of several simultaneous visits to the portal', async () => {
    const { url } = await invited()
    const responses = await Promise.all([1, 2, 3, 4].map(() => visit(url)))
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410])
    expect(responses.map(cookieOf).filter((cookie) => cookie !== '')).toHaveLength(1)
  })

  it('accepts a visit to the portal after HEAD requests', async () => {
    const { url } = await invited()
    expect((await visit(url, 'HEAD')).status).toBe(404)
    expect((await visit(url)).status).toBe(303)
  })

  it('closes the portal after the visit, with a wrong token, and without a session', async () => {
    const { url, token } = await invited()
    await visit(url)
    const closed = [await visit(url), await visit(`${service.url}/portal/wrong`)]
    const strangers = [await shown(''), await shown('quittance_portal=wrong'), await shown(`quittance_portal=${token}`)]
    expect(closed.map(({ status }) => status)).toEqual([410, 410])
    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401])
    for (const each of [...closed, ...strangers]) expect(await each.text()).toContain('This page is closed')
  })

  it('closes the portal five minutes after the invitation, an hour after the visit, and with the customer', async () => {
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

  describe('with a subscription', () => {
    const session = async () => cookieOf(await visit((await invited()).url))
    const tokenIn = (markup: string): string => /name="form_token" value="(\w+)"/.exec(markup)?.[1] ?? ''
    const pageOf = async (cookie: string): Promise<string> => (await shown(cookie)).text()
    const submit = (id: string, cookie: string, fields: Record<string, string>) =>
      fetch(`${service.url}/portal/subscriptions/${id}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(fields),
      })
    const subscription = async (id: string) => (await service.api(`/subscriptions/${id}`)).body.data
    const actionsIn = (markup: string) => [...markup.matchAll(/name="action" value="(\w+)"/g)].map(([, name]) => name)

    it('cancels, keeps, pauses and resumes a subscription by forms, and offers the possible actions', async () => {
      const id = await subscribe(service.api, { customer_id: customer }, { name: 'A book club' })
      const cookie = await session()
      const first = await pageOf(cookie)
      expect(first).toContain('A book club')
      expect(first).toContain('$5.00 every month')
      const form_token = tokenIn(first)
      const steps = [
        ['cancel', { status: 'active', cancel_at_period_end: true }, ['keep']],
        ['keep', { status: 'active', cancel_at_period_end: false }, ['pause', 'change_wallet', 'cancel']],
        ['pause', { status: 'paused' }, ['resume', 'change_wallet', 'cancel']],
        ['resume', { status: 'active' }, ['pause', 'change_wallet', 'cancel']],
      ] as const
      expect(actionsIn(first)).toEqual(['pause', 'change_wallet', 'cancel'])
      for (const [action, becomes, offered] of steps) {
        const answer = await submit(id, cookie, { action, form_token })
        expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal'])
        expect(await subscription(id)).toMatchObject(becomes)
        expect(actionsIn(await pageOf(cookie))).toEqual(offered)
      }
      const { data } = (await service.api(`/subscriptions/${id}/history`)).body.data
      expect(data.at(-1).actor).toBe('customer')
    })

    it('leads to the page where another wallet signs, and shows the way there until it has', async () => {
      const id = await subscribe(service.api, { customer_id: customer })
      const cookie = await session()
      const form_token = tokenIn(await pageOf(cookie))
      const answer = await submit(id, cookie, { action: 'change_wallet', form_token })
      const { update_url } = (await subscription(id)).authorization
      expect(update_url).toMatch(/\/pay\/auth_\w+$/)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, update_url])
      expect(await pageOf(cookie)).toContain(`data-testid="authorize" href="${update_url}"`)
      const asked = await service.api(`/subscriptions/${id}/change_wallet`, { method: 'POST' })
      expect(asked.body.data.authorization.update_url).toBe(update_url)
    })

    it('tells the purpose of each payment in the portal', async () => {
      const id = await overdueSubscription(service, `${crypto.randomUUID()}@shop.example`)
      const owed = await subscription(id)
      customer = owed.customer_id
      const invoice = owed.invoice_url.replace(/^.*\/pay\//, '')
      expect((await service.api('/sandbox/pay', { body: { checkout_id: invoice } })).status).toBe(200)
      await service.api('/sandbox/advance', { body: { seconds: 1 } })
      const paid = await subscription(id)
      expect(paid.status).toBe('active')
      const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
      const dayOf = (timestamp: string) => days.format(new Date(timestamp))
      const period = `${dayOf(paid.current_period_start)} to ${dayOf(paid.current_period_end)}`
      const parts = [
        ...(await pageOf(await session())).matchAll(/<span class="payment-part quiet">(.*?)<.*?(\w+)<\/td><\/tr>/g),
      ]
      expect(parts.map(([, part, status]) => [part, status])).toEqual([
        [`Invoice, ${period}`, 'paid'],
        [`Renewal, ${period}`, 'failed'],
        ['First payment', 'paid'],
      ])
    })

    it('tells why an action in the portal failed', async () => {
      const id = await subscribe(service.api, { customer_id: customer })
      const cookie = await session()
      const answer = await submit(id, cookie, { action: 'resume', form_token: tokenIn(await pageOf(cookie)) })
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('portal-problem')])
    })

    it("the portal does nothing without the session, without its own form, or for another customer's resource", async () => {
      const [own, other] = [
        await subscribe(service.api, { customer_id: customer }),
        await subscribe(service.api, { customer_email: `${crypto.randomUUID()}@shop.example` }),
      ]
      const [cookie, elsewhere] = [await session(), await session()]
      const form_token = tokenIn(await pageOf(cookie))
      const outcomes = await Promise.all([
        submit(own, '', { action: 'cancel', form_token }),
        submit(own, cookie, { action: 'cancel', form_token: 'none' }),
        submit(own, cookie, { action: 'cancel', form_token: tokenIn(await pageOf(elsewhere)) }),
        submit(other, cookie, { action: 'cancel', form_token }),
        submit(own, cookie, { action: 'delete', form_token }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual([401, 401, 401, 404, 400])
      for (const id of [own, other]) expect(await subscription(id)).toMatchObject({ cancel_at_period_end: false })
    })

    it('the portal answers foreign forms of a browser with a page, not JSON', async () => {
      const id = await subscribe(service.api, { customer_id: customer })
      const cookie = await session()
      const form_token = tokenIn(await pageOf(cookie))
      const headers = { cookie, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
      const sent = async (path: string, body: URLSearchParams | string, others: Record<string, string> = {}) => {
        const answer = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { ...headers, ...others },
          body,
        })
        return [answer.status, answer.headers.get('content-type'), await answer.text()]
      }
      const page = (status: number, title: string) => [
        status,
        'text/html; charset=utf-8',
        expect.stringContaining(`<h1>${title}</h1>`),
      ]
      const form = (fields: Record<string, string>) => new URLSearchParams(fields)
      const path = `/portal/subscriptions/${id}`
      const isClosed = page(401, 'This page is closed')
      expect(await sent(path, form({ action: 'cancel' }))).toEqual(isClosed)
      expect(await sent(path, form({ action: 'cancel', form_token: 'none' }))).toEqual(isClosed)
      const elsewhere = { cookie: '', origin: 'https://elsewhere.example' }
      expect(await sent(path, form({ action: 'cancel' }), elsewhere)).toEqual(isClosed)
      expect(await sent(path, form({ action: 'delete', form_token }))).toEqual(page(400, 'This cannot be done'))
      expect(await sent(path, `action=cancel&form_token=${form_token}`)).toEqual(page(415, 'This cannot be done'))
      expect(await subscription(id)).toMatchObject({ cancel_at_period_end: false })
      const looked = await fetch(`${service.url}/portal?payments_after=first`, { headers })
      expect([looked.status, looked.headers.get('content-type'), await looked.text()]).toEqual(
        page(400, 'This cannot be done'),
      )
      expect((await shown(cookie)).status).toBe(200)
    })

    it('accepts forms in the portal only', async () => {
      const headers = { 'x-api-key': service.facts.api_key }
      const answer = await fetch(`${service.url}/product`, {
        method: 'POST',
        headers,
        body: new URLSearchParams('a=b'),
      })
      expect(answer.status).toBe(415)
    })
  })
})
