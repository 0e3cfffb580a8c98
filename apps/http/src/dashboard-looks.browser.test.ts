import type { Page } from 'playwright-core'
import { objections } from './testing/axe.ts'
import { type Browser, startBrowser } from './testing/browser.ts'
import { settled } from './testing/dashboard.ts'
import { sampleShop } from './testing/sample-shop.ts'
import type { Service } from './testing/service.ts'

const testMs = 300_000

let service: Service
let browser: Browser
let page: Page
/** Every page that the menu leads to, and the first record of each list. */
let paths: ReadonlyArray<string>
beforeAll(async () => {
  service = await sampleShop()
  browser = await startBrowser()
  page = await browser.open(`${service.url}/dashboard`)
  await settled(page)
  const lists = await linksIn('#places a')
  const records: Array<string> = []
  for (const list of lists) {
    await open(list)
    records.push(...(await linksIn('main .records td:first-child a')).slice(0, 1))
  }
  paths = [...lists, ...records, '/dashboard/products/new', '/dashboard/nowhere']
}, testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
})

const linksIn = (selector: string): Promise<Array<string>> =>
  page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
const open = async (path: string): Promise<void> => {
  await page.goto(`${service.url}${path}`)
  await settled(page)
}

const sizes = { desk: { width: 1_280, height: 900 }, phone: { width: 390, height: 844 } }
/** Colours do not depend on the size, nor places on the colours. */
const looks = [
  { size: 'desk', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const

/** What is wrong with the page as it is shown now, on a light desk and a dark phone; with pictures. */
const faults = async (name: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { size, scheme } of looks) {
    const look = `${name} ${size} ${scheme}`
    await page.setViewportSize(sizes[size])
    await page.emulateMedia({ colorScheme: scheme })
    found.push(...(await objections(page)).map((each) => `${look}: ${each}`))
    found.push(...(await tooWide(look)))
    await browser.picture(page, `look-${look.replaceAll(/\W+/g, '-')}`)
  }
  await page.setViewportSize(sizes.desk)
  return found
}

const tooWide = async (look: string): Promise<ReadonlyArray<string>> =>
  (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) ? [`${look}: wider than the screen`] : []

const nameOf = (path: string) => path.replace('/dashboard', '').replace(/_\w{22}$/, '') || '/'

const openers = () => page.locator('main button[aria-haspopup="dialog"]')

describe('every page of the dashboard', () => {
  it(
    'has nothing that axe-core objects to and fits the screen: a light desk and a dark phone',
    async () => {
      expect(paths.length).toBeGreaterThan(20)
      const found: Array<string> = []
      for (const path of paths) {
        await open(path)
        found.push(...(await faults(nameOf(path))))
      }
      expect(found).toEqual([])
    },
    testMs,
  )

  it(
    'opens dialogs of which the same is true',
    async () => {
      const found: Array<string> = []
      const seen = new Set<string>()
      for (const path of paths) {
        await open(path)
        const names = await openers().allInnerTexts()
        for (const [index, name] of names.entries()) {
          const dialog = `${nameOf(path)} ${name}`
          if (seen.has(dialog)) continue
          seen.add(dialog)
          await openers().nth(index).click()
          await page.getByRole('dialog').waitFor()
          found.push(...(await faults(dialog)))
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
        }
      }
      expect(seen.size).toBeGreaterThan(15)
      expect(found).toEqual([])
    },
    testMs,
  )

  it(
    'fits a phone in German',
    async () => {
      await page.getByTestId('language').selectOption('de')
      await page.setViewportSize(sizes.phone)
      const found: Array<string> = []
      for (const path of paths) {
        await open(path)
        found.push(...(await tooWide(nameOf(path))))
        await browser.picture(page, `look-de-${nameOf(path).replaceAll(/\W+/g, '-')}`)
        for (let index = 0; index < (await openers().count()); index += 1) {
          await openers().nth(index).click()
          const dialog = page.getByRole('dialog')
          await dialog.waitFor()
          const isWider = await dialog.evaluate((shown) => shown.scrollWidth > shown.clientWidth)
          if (isWider || (await tooWide('')).length > 0) found.push(`${nameOf(path)}, dialog ${index}`)
          await page.keyboard.press('Escape')
          await dialog.waitFor({ state: 'detached' })
        }
      }
      expect(found).toEqual([])
      await page.setViewportSize(sizes.desk)
      await page.getByTestId('language').selectOption('en')
    },
    testMs,
  )

  it(
    'is as good before anybody has signed in',
    async () => {
      await page.goto(`${service.url}/dashboard/join#token`)
      await page.getByTestId('join').waitFor()
      const ofJoining = await faults('join')
      await open('/dashboard')
      await page.getByTestId('sign-out').click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      const ofSigningIn = await faults('sign-in')
      await page.getByRole('button', { name: 'I have lost' }).click()
      await page.getByRole('heading', { name: 'Use a recovery code' }).waitFor()
      expect([...ofJoining, ...ofSigningIn, ...(await faults('recovery'))]).toEqual([])
    },
    testMs,
  )
})
