import { type Browser, startBrowser } from './testing/browser.ts'
import { type Service, startService } from './testing/service.ts'
import { subscribe } from './testing/subscriber.ts'

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

  it(
    'leads from one visit through pause, resume, cancellation and its undoing, without a secret in the address',
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
      await browser.picture(page, 'portal-cancelling')
      await page.setViewportSize({ width: 375, height: 800 })
      await browser.picture(page, 'portal-phone')
      const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect(isWider).toBe(false)
      await page.setViewportSize({ width: 1_280, height: 900 })
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
    'does not take what another site sends in its name',
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

  it('says that its address was used, and shows nothing', async () => {
    const url = await invited(await visitor('Bob'))
    await (await browser.open(url)).close()
    await browser.context.clearCookies()
    const page = await browser.open(url)
    expect(await page.getByTestId('portal-closed').innerText()).toContain('works once')
    await browser.picture(page, 'portal-closed')
    await page.close()
  })
})
