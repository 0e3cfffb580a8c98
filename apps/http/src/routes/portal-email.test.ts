import { codeTo } from '../testing/mails.ts'
import { type Service, startService } from '../testing/service.ts'

describe('the change of an email in the portal', () => {
  let service: Service
  let email: string
  let customer: string
  let cookie: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    email = `${crypto.randomUUID()}@shop.example`
    customer = (await service.api('/customers', { body: { email, name: 'Ada Lovelace' } })).body.data.id
    cookie = await session(customer)
  })

  const session = async (id: string): Promise<string> => {
    const { url } = (await service.api(`/customers/${id}/portal`, { method: 'POST' })).body.data
    const visit = await fetch(url, { redirect: 'manual' })
    return visit.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const tokenOf = async (of = cookie): Promise<string> => {
    const page = await (await fetch(`${service.url}/portal`, { headers: { cookie: of } })).text()
    return /name="form_token" value="(\w+)"/.exec(page)?.[1] ?? ''
  }
  const submit = (path: string, fields: Record<string, string>, of = cookie) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: of },
      body: new URLSearchParams(fields),
    })
  const askedFor = async (to: string): Promise<string> => {
    const answer = await submit('/portal/email', { email: to, form_token: await tokenOf() })
    return new URLSearchParams(answer.headers.get('location')?.split('?')[1]).get('change_id') ?? ''
  }
  const emailNow = async (): Promise<string> => (await service.api(`/customers/${customer}`)).body.data.email

  it('leads by codes from both addresses to the new one, and shows none', async () => {
    const to = `${crypto.randomUUID()}@new.example`
    const change_id = await askedFor(to)
    const page = await fetch(`${service.url}/portal/email?change_id=${change_id}`, { headers: { cookie } })
    const markup = await page.text()
    expect([page.status, markup.includes(to), markup.includes(email)]).toEqual([200, false, false])
    const form_token = await tokenOf()
    const [new_code, old_code] = [await codeTo(service, to), await codeTo(service, email)]
    const wrong = await submit('/portal/email/confirm', { change_id, form_token, new_code, old_code: new_code })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('The code is wrong')])
    expect(await emailNow()).toBe(email)
    const right = await submit('/portal/email/confirm', { change_id, form_token, new_code, old_code })
    expect([right.status, await right.text()]).toEqual([200, expect.stringContaining('Your email is changed')])
    expect(await emailNow()).toBe(to)
  })

  it('takes no form without the token of the visit, and none without a session', async () => {
    const to = `${crypto.randomUUID()}@new.example`
    const answers = [
      await submit('/portal/email', { email: to }),
      await submit('/portal/email', { email: to, form_token: 'a'.repeat(64) }),
      await submit('/portal/email', { email: to, form_token: await tokenOf() }, ''),
      await submit('/portal/email/confirm', { change_id: 'x', new_code: 'x', old_code: 'x' }),
      await fetch(`${service.url}/portal/email?change_id=x`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  })

  it('says in words that another customer has the email, after both codes', async () => {
    const to = `${crypto.randomUUID()}@shop.example`
    const other = (await service.api('/customers', { body: { email: to, name: 'Grace' } })).body.data.id
    const change_id = await askedFor(to)
    const codes = { new_code: await codeTo(service, to), old_code: await codeTo(service, email) }
    const answer = await submit('/portal/email/confirm', { change_id, form_token: await tokenOf(), ...codes })
    const markup = await answer.text()
    expect([answer.status, markup.includes(other)]).toEqual([409, false])
    expect(markup).toContain('Another customer has this email')
    expect(await emailNow()).toBe(email)
  })
})
