import { type Browser, startBrowser } from './testing/browser.ts'
import { type Service, startService } from './testing/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

describe('the page at the address of the service', () => {
  it.each([1_100, 360])('leads to the quickstart and the reference, and fits %i pixels', async (width) => {
    const page = await browser.open(service.url)
    await page.setViewportSize({ width, height: 800 })
    expect(await page.title()).toBe('Quittance')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await browser.picture(page, `start-${width}`)
    await page.click('[data-testid=start-quickstart]')
    expect(await page.textContent('body')).toContain('Quickstart: a confirmed payment')
    await page.goBack()
    await page.click('[data-testid=start-reference]')
    expect(await page.title()).toBe('Quittance API')
    expect(browser.complaints).toEqual([])
    await page.close()
  })
})
