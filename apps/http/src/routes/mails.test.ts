import { extractText, getDocumentProxy } from 'unpdf'
import { eventually } from '../testing/eventually.ts'
import { type Service, startService } from '../testing/service.ts'
import { overdueSubscription } from '../testing/subscriber.ts'

const storyMs = 120_000
const browser = { accept: 'text/html' }

describe('mails of the sandbox', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  type Shown = { readonly to: string; readonly subject: string; readonly text: string }
  const mailTo = async (address: string, subject: string): Promise<Shown> => {
    const mails = async (): Promise<ReadonlyArray<Shown>> => (await service.api('/sandbox/mail')).body.data
    const isIt = (mail: Shown) => mail.to === address && mail.subject.startsWith(subject)
    const found = (await eventually(mails, (all) => all.some(isIt))).find(isIt)
    if (found === undefined) throw new Error('it was there')
    return found
  }
  const linkIn = ({ text }: Shown, label: string): string => new RegExp(`^${label}: (.*)$`, 'm').exec(text)?.[1] ?? ''
  const get = (path: string, headers: Readonly<Record<string, string>> = browser) =>
    fetch(`${service.url}${path}`, { headers, redirect: 'manual' })

  it(
    'lead a customer from a failed renewal to its invoice, and from its payment to a receipt',
    async () => {
      const email = 'ada@club.example'
      const id = await overdueSubscription(service, email)
      const { invoice_url } = (await service.api(`/subscriptions/${id}`)).body.data
      const all: ReadonlyArray<Shown> = (await service.api('/sandbox/mail')).body.data
      const failed = all.find(({ text }) => text.includes('Pay now: '))
      expect(failed).toMatchObject({ to: email, subject: expect.stringMatching(/^Your payment to .* failed$/) })
      const invoice = linkIn(failed ?? { to: '', subject: '', text: '' }, 'Pay now')
      expect(invoice).toBe(invoice_url)
      expect((await fetch(invoice)).status).toBe(200)
      const checkout_id = invoice.replace(/^.*\/pay\//, '')
      await service.api('/sandbox/pay', { body: { checkout_id } })
      await eventually(
        () => service.api(`/subscriptions/${id}`),
        ({ body }) => body.data.status === 'active',
      )

      const [payment] = (await service.api(`/payment?subscription_id=${id}&status=confirmed`)).body.data.data
      const isReceipt = ({ to, text }: Shown) => to === email && text.includes(payment.receipt_url)
      const mails = async (): Promise<ReadonlyArray<Shown>> => (await service.api('/sandbox/mail')).body.data
      await eventually(mails, (now) => now.some(isReceipt))
      const page = await fetch(payment.receipt_url)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(email)])
      const file = await fetch(`${payment.receipt_url}/receipt.pdf`)
      expect(file.headers.get('content-type')).toBe('application/pdf')
      const pdf = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()))
      const { text } = await extractText(pdf, { mergePages: true })
      expect([text.includes(payment.amount), text.includes(email), text.includes('Invoice')]).toEqual([
        true,
        true,
        true,
      ])
      expect(await (await fetch(`${invoice}/receipt`)).text()).not.toContain(email)
    },
    storyMs,
  )

  it('are shown to a browser on the same machine, each in a frame that runs nothing', async () => {
    await mailTo('ada@club.example', 'Your receipt from')
    const led = await get('/sandbox/mail')
    expect([led.status, led.headers.get('location')]).toEqual([303, '/sandbox/inbox'])
    const inbox = await get('/sandbox/inbox')
    const markup = await inbox.text()
    expect(inbox.headers.get('content-security-policy')).toContain("frame-src 'self'; base-uri 'none'")
    const [, frame = ''] = /<iframe sandbox="[^"]*" src="(\/sandbox\/inbox\/\d+)"/.exec(markup) ?? []
    const mail = await get(frame)
    expect(mail.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    expect(await mail.text()).toContain('target="_blank" rel="noopener noreferrer"')
    expect((await get('/sandbox/mail', {})).status).toBe(401)
  })

  it('are shown to nobody whose request was forwarded', async () => {
    for (const path of ['/sandbox/inbox', '/sandbox/inbox/1'])
      for (const forwarded of [
        { 'x-forwarded-for': '10.0.0.1' },
        { forwarded: 'for=10.0.0.1' },
        { via: '1.1 proxy' },
      ]) {
        const answer = await get(path, { ...browser, ...forwarded })
        expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('data-testid="no-inbox"')])
      }
  })
})
