import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from './testing/browser.ts'
import { codeTo } from './testing/mails.ts'
import { type Service, startService } from './testing/service.ts'
import { newPlan, overdueSubscription, subscribe } from './testing/subscriber.ts'

const testMs = 60_000

describe('the portal in a browser', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  }, testMs)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  const visitor = async (name: string) => {
    const body = { email: `${crypto.randomUUID()}@shop.example`, name }
    return (await service.api('/customers', { body })).body.data.id
  }
  const invited = async (customer: string): Promise<string> =>
    (await service.api(`/customers/${customer}/portal`, { method: 'POST' })).body.data.url

  /** As a desk and as a telephone show it; nothing stands out at the side. */
  const pictures = async (page: Page, name: string) => {
    for (const [width, suffix] of [
      [1_280, ''],
      [375, '-phone'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      await browser.picture(page, `${name}${suffix}`)
    }
    await page.setViewportSize({ width: 1_280, height: 900 })
  }

  it(
    'serves pause, resume, cancel and undo in one portal visit, without a secret in the address',
    async () => {
      const customer = await visitor('Ada')
      const metered = { name: 'A very long name of a subscription that goes on, issue after issue', price_amount: 1200 }
      for (const change of [{ name: 'A book every month' }, metered])
        await subscribe(service.api, { customer_id: customer }, change)
      const page = await browser.open(await invited(customer))
      expect(page.url()).toBe(`${service.url}/portal`)
      const club = page.getByTestId('subscription').filter({ hasText: 'A book every month' })
      const says = async (text: string) => club.getByText(text, { exact: true }).waitFor()
      await says('Active')
      expect(await page.getByTestId('payments').locator('tbody tr').count()).toBe(2)
      await browser.picture(page, 'portal')

      await club.getByTestId('pause').click()
      await says('Paused')
      await browser.picture(page, 'portal-paused')
      await club.getByTestId('resume').click()
      await says('Active')
      await club.getByTestId('cancelling').locator('summary').click()
      await pictures(page, 'portal-cancelling')
      await club.getByTestId('cancel').click()
      await says('Ends soon')
      await browser.picture(page, 'portal-canceled')
      await club.getByTestId('keep').click()
      await says('Active')
      expect(page.url()).toBe(`${service.url}/portal`)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'leads back to the shop from the portal, also after a change',
    async () => {
      const customer = await visitor('Ada')
      await subscribe(service.api, { customer_id: customer })
      const shop = createServer((request, response) => {
        const { referer = 'none' } = request.headers
        response.setHeader('content-type', 'text/html').end(`<p>Your account. Referer: ${referer}</p>`)
      }).listen(0, '127.0.0.1')
      await once(shop, 'listening')
      const address = shop.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      const return_url = `http://127.0.0.1:${port}/account?tab=2`
      const { body } = await service.api(`/customers/${customer}/portal`, { body: { return_url } })
      const page = await browser.open(body.data.url)
      await page.getByTestId('pause').click()
      await page.getByText('Paused', { exact: true }).waitFor()
      await pictures(page, 'portal-return')
      await page.getByTestId('return').click()
      await page.getByText('Your account. Referer: none').waitFor()
      expect(page.url()).toBe(return_url)
      expect(browser.complaints).toEqual([])
      await page.close()
      shop.close()
    },
    testMs,
  )

  it(
    'rejects portal forms from other sites',
    async () => {
      const customer = await visitor('Eve')
      const id = await subscribe(service.api, { customer_id: customer })
      const page = await browser.open(await invited(customer))
      const token = await page.locator('input[name=form_token]').first().getAttribute('value')
      const form = `<form method="post" action="${service.url}/portal/subscriptions/${id}">
        <input name="action" value="cancel"><input name="form_token" value="${token}"><button>Win</button></form>`
      const elsewhere = await browser.context.newPage()
      await elsewhere.route('http://elsewhere.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: form }),
      )
      await elsewhere.goto('http://elsewhere.example/')
      await elsewhere.getByText('Win').click()
      await elsewhere.getByTestId('portal-closed').waitFor()
      expect((await service.api(`/subscriptions/${id}`)).body.data).toMatchObject({ cancel_at_period_end: false })
      browser.complaints.splice(0)
      await page.close()
      await elsewhere.close()
    },
    testMs,
  )

  it(
    'links to the invoice of an overdue subscription, which another wallet pays',
    async () => {
      const id = await overdueSubscription(service, `${crypto.randomUUID()}@shop.example`)
      const { customer_id } = (await service.api(`/subscriptions/${id}`)).body.data
      const page = await browser.open(await invited(customer_id))
      await browser.picture(page, 'portal-overdue')
      await page.getByTestId('invoice').click()
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      expect(await page.getByTestId('lead').innerText()).toContain('Pay it here, from any wallet')
      expect(await page.getByTestId('deadline').count()).toBe(0)
      await pictures(page, 'invoice')
      await page.getByTestId('pay-with-sandbox-wallet').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: testMs })
      await browser.picture(page, 'invoice-paid')
      expect(browser.complaints).toEqual([])
      await page.goto(`${service.url}/portal`)
      await page.getByTestId('subscription').getByText('Active', { exact: true }).waitFor()
      await page.close()
    },
    2 * testMs,
  )

  it(
    'links to a new signature for a dearer product',
    async () => {
      const customer = await visitor('Grace')
      const id = await subscribe(service.api, { customer_id: customer })
      const product_id = await newPlan(service.api, { name: 'Two books every month', price_amount: 50 })
      await service.api(`/subscriptions/${id}`, { method: 'PUT', body: { product_id } })
      const page = await browser.open(await invited(customer))
      await browser.picture(page, 'portal-sign-again')
      await page.getByTestId('authorize').click()
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      expect(await page.getByTestId('mandate-now').innerText()).toBe('You pay nothing now.')
      expect(await page.getByTestId('mandate-later').innerText()).toContain('never more than 55 USDC')
      await pictures(page, 'authorization')
      await page.getByTestId('pay-with-sandbox-wallet').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: testMs })
      expect(await page.getByTestId('status').innerText()).toBe('Your wallet has agreed')
      await browser.picture(page, 'authorization-given')
      expect(browser.complaints).toEqual([])
      expect((await service.api(`/subscriptions/${id}`)).body.data).toMatchObject({ product_id, pending_update: null })
      await page.close()
    },
    2 * testMs,
  )

  it(
    'has another wallet sign, after which that one is charged',
    async () => {
      const customer = await visitor('Grace')
      const id = await subscribe(service.api, { customer_id: customer })
      const subscription = async () => (await service.api(`/subscriptions/${id}`)).body.data
      const { current_period_end, last_attempt } = await subscription()
      const page = await browser.open(await invited(customer))
      await page.getByTestId('change_wallet').click()
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      expect(page.url()).toBe((await subscription()).authorization.update_url)
      expect(await page.getByTestId('mandate-now').innerText()).toBe('You pay nothing now.')
      await pictures(page, 'another-wallet')
      await page.getByTestId('pay-with-sandbox-wallet').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: testMs })
      expect(browser.complaints).toEqual([])
      await page.close()
      await service.api('/sandbox/advance', { body: { to: current_period_end } })
      const renewed = await subscription()
      expect(renewed).toMatchObject({ status: 'active', last_attempt: { status: 'confirmed', subscription_id: id } })
      const { address } = renewed.last_attempt.payment_method_details
      expect(address).not.toBe(last_attempt.payment_method_details.address)
    },
    2 * testMs,
  )

  it(
    'lets a customer in by a code, who changes their email by two more',
    async () => {
      const email = `${crypto.randomUUID()}@shop.example`
      const { id } = (await service.api('/customers', { body: { email, name: 'Ada' } })).body.data
      const address = `${crypto.randomUUID()}@new.example`
      const page = await browser.open(
        `${service.url}/portal/entry?merchant=${service.facts.merchant_id}&environment=testnet`,
      )
      await pictures(page, 'portal-entry')
      await page.getByTestId('entry-email').fill(email.toUpperCase())
      await page.getByTestId('entry-ask').click()
      await page.getByTestId('entry-code').fill('nonsense')
      await page.getByTestId('entry-open').click()
      await page.getByTestId('entry-problem').waitFor()
      await pictures(page, 'portal-code')
      // Chromium reports the answer 400 to a form as an error.
      browser.complaints.splice(0)
      const code = await codeTo(service, email)
      await page.getByTestId('entry-code').fill(code.toLowerCase().replace('-', ''))
      await page.getByTestId('entry-open').click()
      await page.getByTestId('email-change').locator('summary').click()
      expect(page.url()).toBe(`${service.url}/portal`)
      await pictures(page, 'portal-email')
      await page.getByTestId('new-email').fill(address)
      await page.getByTestId('ask-email-change').click()
      await page.getByTestId('new_code').fill(await codeTo(service, address))
      await page.getByTestId('old_code').fill(await codeTo(service, email, code))
      await pictures(page, 'portal-email-codes')
      await page.getByTestId('confirm-email').click()
      await page.getByTestId('email-changed').waitFor()
      expect((await service.api(`/customers/${id}`)).body.data.email).toBe(address)
      expect(browser.complaints).toEqual([])
      await page.close()
      await browser.context.clearCookies()
    },
    testMs,
  )

  it('shows only that the link was used when a portal link is opened again', async () => {
    const url = await invited(await visitor('Bob'))
    await (await browser.open(url)).close()
    await browser.context.clearCookies()
    const page = await browser.open(url)
    expect(await page.getByTestId('portal-closed').innerText()).toContain('works once')
    await browser.picture(page, 'portal-closed')
    await page.close()
  })
})
