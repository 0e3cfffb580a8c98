import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from './testing/browser.ts'
import { objections } from './testing/objections.ts'
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

const opened = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${service.url}/dashboard${path}`)
  await page.locator('main h1').waitFor()
  await page.waitForFunction('document.querySelector(".waiting") === null')
}

/** The browser itself names a request for a session that there is not yet. */
const complaints = (): ReadonlyArray<string> => browser.complaints.filter((each) => !each.includes('401'))

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
      await opened(page, '')
      expect(await page.getByTestId('revenue').innerText()).toBe('€12.50')
      const { data } = (await service.api('/payment')).body.data
      expect(data.map(({ status, amount_cents }: Record<string, unknown>) => [status, amount_cents])).toEqual([
        ['confirmed', 1_250],
      ])
      expect(complaints()).toEqual([])
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
      expect(complaints()).toEqual([])
      await page.close()
    },
    testMs,
  )

  it.each(['/', '/products', '/products/new', '/checkouts', '/payments', '/books', '/settlement', '/team', '/account'])(
    'has nothing that axe-core objects to at %s, light and dark, and fits a phone',
    async (path) => {
      const page = await browser.open(service.url)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await opened(page, path)
        expect(await objections(page)).toEqual([])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
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
