import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { temporaryDirectory } from './service.ts'

const screenshots = fileURLToPath(new URL('../../../../.screenshots/', import.meta.url))

/** A browser with its own profile, which records console errors. `blocksWindows`: it opens none but upon a press, as browsers of people do. */
export const startBrowser = async ({ blocksWindows = false }: { readonly blocksWindows?: boolean } = {}) => {
  const profile = temporaryDirectory()
  const context: BrowserContext = await chromium.launchPersistentContext(profile.path, {
    executablePath: process.env.QUITTANCE_TEST_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    ignoreDefaultArgs: blocksWindows ? ['--disable-popup-blocking'] : [],
    viewport: { width: 1_100, height: 1_000 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const complaints: Array<string> = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  mkdirSync(screenshots, { recursive: true })
  /** Takes a picture for people, so none where nobody will look at it. */
  const picture = async (page: Page, name: string): Promise<void> => {
    if (process.env.CI === undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  }
  return {
    context,
    complaints,
    open: async (url: string): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
    picture,
    /** A state as it is seen on a desktop, on a phone and in the dark. */
    pictures: async (page: Page, name: string): Promise<void> => {
      await picture(page, name)
      await page.setViewportSize({ width: 390, height: 844 })
      await picture(page, `${name}-phone`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, `${name}-phone-dark`)
      await page.setViewportSize({ width: 1_100, height: 1_000 })
      await picture(page, `${name}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    },
    close: async () => {
      await context.close()
      profile.remove()
    },
  }
}

export type Browser = Awaited<ReturnType<typeof startBrowser>>
