import type { Page } from 'playwright-core'
import { languages } from './page/browser/language.ts'
import { scenes } from './page/testing/scenes.ts'
import { openStage } from './page/testing/stage.ts'
import { objections } from './testing/axe.ts'
import { type Browser, startBrowser } from './testing/browser.ts'

const testMs = 120_000

let browser: Browser
let stage: Awaited<ReturnType<typeof openStage>>
let page: Page
beforeAll(async () => {
  stage = await openStage(scenes)
  browser = await startBrowser()
  page = await browser.context.newPage()
}, testMs)
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const desk = { width: 1_100, height: 900 }
const phone = { width: 390, height: 844 }
const narrow = { width: 320, height: 640 }

const visit = async (name: string, language: string): Promise<void> => {
  await page.setViewportSize(desk)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(stage.url(name, language))
  // Where a script runs, it shows what works with it alone.
  await page.locator('[data-script-only][hidden]').first().waitFor({ state: 'detached' })
}

const standsOut = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')

const all = Object.keys(scenes).flatMap((name) => languages.map((language) => [name, language] as const))

describe('a page of payers', () => {
  it.each(all)(
    'is accessible in light and dark, and fits a phone, also when read from right to left: %s, %s',
    async (name, language) => {
      await visit(name, language)
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      expect(await objections(page)).toEqual([])
      await browser.picture(page, `payer-${name}-${language}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await objections(page)).toEqual([])
      await page.setViewportSize(phone)
      expect(await standsOut()).toBe(false)
      await browser.picture(page, `payer-${name}-${language}-phone-dark`)
      await page.setViewportSize(narrow)
      expect(await standsOut()).toBe(false)
      await page.evaluate("document.documentElement.dir = 'rtl'")
      expect(await standsOut()).toBe(false)
    },
    testMs,
  )
})
