import { problem } from '../testing/client.ts'
import { codeTo, mailTo } from '../testing/mails.ts'
import { openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'

describe('portal entry by a code from a mail', () => {
  let service: Service
  let email: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    email = `${crypto.randomUUID()}@shop.example`
    await service.api('/customers', { body: { email, name: 'Ada Lovelace' } })
  })

  const merchant = () => ({ merchant_id: service.facts.merchant_id, environment: 'testnet' })
  const ask = (to: string) => service.anyone('/portal/entry', { body: { ...merchant(), email: to } })
  const verify = (entry_id: string, code: string) =>
    service.anyone('/portal/entry/verify', { body: { entry_id, code } })
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(`${service.url}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const fieldsOfPage = (to: string) => ({ merchant: service.facts.merchant_id, environment: 'testnet', email: to })

  it('gives a portal session for the code, once', async () => {
    const asked = await ask(email)
    expect(asked.body.data).toEqual({
      object: 'portal_entry',
      id: expect.stringMatching(/^[\w-]{22}$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(await mailTo(service, email)).toEqual({
      to: email,
      name: 'Ada Lovelace',
      subject: expect.stringMatching(/^Your code for /),
      text: expect.stringContaining('Tell it nobody'),
      html: expect.stringContaining('<!doctype html>'),
      sent_at: expect.stringMatching(/Z$/),
    })
    const { id } = asked.body.data
    const wrong = await verify(id, '0000-0000')
    expect([wrong.status, wrong.body]).toEqual([400, problem('code_invalid', 'code')])
    const session = (await verify(id, await codeTo(service, email))).body.data
    const visit = await fetch(session.url, { redirect: 'manual' })
    expect([visit.status, visit.headers.get('location')]).toEqual([303, '/portal'])
    expect((await verify(id, await codeTo(service, email))).body).toEqual(problem('code_invalid', 'code'))
  })

  it('answers the same for an email that nobody has, for a program and on the page', async () => {
    const nobody = `${crypto.randomUUID()}@shop.example`
    const answers = [await ask(email), await ask(nobody)].map(({ status, body, headers }) => {
      const { id, expires_at, ...rest } = body.data
      return [status, Object.keys(body), id.length, typeof expires_at, rest, [...headers.keys()]]
    })
    expect(answers[1]).toEqual(answers[0])
    const pages = []
    for (const each of [email, nobody]) {
      const sent = await submit('/portal/entry/email', fieldsOfPage(each))
      const page = await fetch(`${service.url}${sent.headers.get('location')}`)
      pages.push([sent.status, page.status, (await page.text()).replaceAll(/(?<=value="|entry_id=)[\w-]{22}/g, '')])
    }
    expect(pages[1]).toEqual(pages[0])
    await mailTo(service, email)
    const mails = (await service.api('/sandbox/mail')).body.data
    expect(mails.filter((mail: { to: string }) => mail.to === nobody)).toEqual([])
  })

  it('leads from the page through the code to the portal', async () => {
    const entry = `/portal/entry?${new URLSearchParams({ merchant: service.facts.merchant_id, environment: 'testnet' })}`
    const page = await fetch(`${service.url}${entry}`)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("form-action 'self'"),
    ])
    expect(await page.text()).toContain('action="/portal/entry/email"')
    const asked = await submit('/portal/entry/email', fieldsOfPage(email))
    const location = asked.headers.get('location') ?? ''
    const entry_id = new URLSearchParams(location.split('?')[1]).get('entry_id') ?? ''
    const wrong = await submit('/portal/entry/code', { entry_id, code: 'nonsense' })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('The code is wrong or no longer')])
    const right = await submit('/portal/entry/code', { entry_id, code: await codeTo(service, email) })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/portal'])
    const cookie = right.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^quittance_portal=[\w-]{43}; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    const portal = await fetch(`${service.url}/portal`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(portal.status).toBe(200)
    const again = await submit('/portal/entry/code', { entry_id, code: await codeTo(service, email) })
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('This code is no longer good')])
  })

  it('keeps the language that was asked for, through forms and refusals', async () => {
    const entry = new URLSearchParams({ merchant: service.facts.merchant_id, environment: 'testnet', lang: 'de' })
    const page = await fetch(`${service.url}/portal/entry?${entry}`)
    expect([page.status, page.headers.get('content-language'), page.headers.get('vary')]).toEqual([
      200,
      'de',
      'accept-language',
    ])
    expect(await page.text()).toContain('action="/portal/entry/email?lang=de"')
    const asked = await submit('/portal/entry/email?lang=de', fieldsOfPage(email))
    const location = new URL(asked.headers.get('location') ?? '', service.url)
    expect([location.pathname, location.searchParams.get('lang')]).toEqual(['/portal/entry/code', 'de'])
    const entry_id = location.searchParams.get('entry_id') ?? ''
    const wrong = await submit('/portal/entry/code?lang=de', { entry_id, code: 'nonsense' })
    const refusal = await wrong.text()
    expect([wrong.status, refusal]).toEqual([400, expect.stringContaining('Der Code ist falsch, abgelaufen oder')])
    // A form's answer has no address of its own, so it offers no other language.
    expect(refusal).not.toContain('hreflang')
    const right = await submit('/portal/entry/code?lang=de', { entry_id, code: await codeTo(service, email) })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/portal?lang=de'])
    const cookie = right.headers.get('set-cookie')?.split(';')[0] ?? ''
    const portal = await fetch(`${service.url}/portal?lang=de`, { headers: { cookie } })
    expect(await portal.text()).toContain('<h2>Ihre Abonnements</h2>')
  })

  it('limits the codes for an address, in words', async () => {
    for (let n = 0; n < 5; n++) expect((await ask(email)).status).toBe(200)
    const sixth = await ask(email)
    expect([sixth.status, sixth.body]).toEqual([429, problem('too_many_codes')])
    const page = await submit('/portal/entry/email', fieldsOfPage(email))
    expect([page.status, await page.text()]).toEqual([429, expect.stringContaining('Too many codes were asked for')])
  })

  it('knows no portal of a merchant that there is not', async () => {
    const merchant_id = 'mer_7nQe4Cw0XbDq1yLZs5Tt0u'
    const asked = await service.anyone('/portal/entry', { body: { ...merchant(), merchant_id, email } })
    expect([asked.status, asked.body]).toEqual([404, problem('not_found')])
    const page = await fetch(`${service.url}/portal/entry?merchant=${merchant_id}&environment=testnet`)
    expect(page.status).toBe(404)
    const sent = await submit('/portal/entry/email', { ...fieldsOfPage(email), merchant: merchant_id })
    expect(sent.status).toBe(404)
  })

  it('says that no mails are sent, and shows no form, where none is configured', async () => {
    const asked = await service.anyone('/portal/entry', { body: { ...merchant(), environment: 'mainnet', email } })
    expect([asked.status, asked.body]).toEqual([503, problem('mail_not_configured')])
    const page = await fetch(`${service.url}/portal/entry?merchant=${service.facts.merchant_id}&environment=mainnet`)
    const markup = await page.text()
    expect([page.status, markup.includes('<form')]).toEqual([200, false])
    expect(markup).toContain('Please open this page from the site where you paid.')
  })

  it('shows a merchant its own mails of the sandbox, and no others', async () => {
    const operator = await openOperator(service.dataDir)
    const other = await operator.createMerchant('Next door')
    await ask(email)
    await mailTo(service, email)
    const theirs = await service.anyone('/sandbox/mail', { headers: { 'x-api-key': other.secret } })
    expect([theirs.status, theirs.body]).toEqual([200, { data: [] }])
    await operator.close()
  })
})
