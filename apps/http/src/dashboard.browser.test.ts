import { type Browser, startBrowser } from './testing/browser.ts'
import { complaintsBut, settled } from './testing/dashboard.ts'
import { type Service, startService } from './testing/service.ts'

const testMs = 240_000

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

describe('the dashboard in a browser', () => {
  it(
    'leads a newcomer from an empty data directory to a first sale, without any key or document',
    async () => {
      const page = await browser.open(service.url)
      await page.getByTestId('start-dashboard').click()
      await page.getByTestId('sample-shop').click()
      await page.getByTestId('payment-url').waitFor()
      await page.getByTestId('sandbox-pay').click()
      await page.getByTestId('paid').waitFor()
      await page.getByRole('link', { name: 'Show the payment' }).click()
      await page.getByRole('heading', { name: '€12.50' }).waitFor()
      await page.goto(`${service.url}/dashboard`)
      await settled(page)
      expect(await page.getByTestId('revenue').innerText()).toBe('€12.50')
      const { data } = (await service.api('/payment')).body.data
      expect(data.map(({ status, amount_cents }: Record<string, unknown>) => [status, amount_cents])).toEqual([
        ['confirmed', 1_250],
      ])
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'sells a product of one’s own by a link, by the keyboard alone',
    async () => {
      const page = await browser.open(`${service.url}/dashboard/products/new`)
      const name = page.getByLabel('Name')
      await name.focus()
      await page.keyboard.type('<img src=x onerror=alert(1)>')
      for (const text of [null, '7,50']) {
        await page.keyboard.press('Tab')
        if (text !== null) await page.keyboard.type(text)
      }
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor()
      await page.getByTestId('new-checkout').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByTestId('new-checkout').press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Create checkout link' }).press('Enter')
      const url = await page.getByTestId('payment-url').innerText()
      expect(url).toMatch(/\/pay\/chk_\w{22}$/)
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    testMs,
  )

  it('shows its words in German, and stays signed out after signing out', async () => {
    const page = await browser.open(`${service.url}/dashboard`)
    await page.getByTestId('language').selectOption('de')
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByTestId('sign-out').click()
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    await page.close()
  })
})
