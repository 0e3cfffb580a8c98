import type { Page } from 'playwright-core'
import type { Browser } from './browser.ts'

/** Waits until a page of the dashboard shows all that it loads. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor()
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
}

/** The same name of this machine that the browser keeps other cookies for: another person's browser. */
export const atLocalhost = (url: string): string => url.replace('//127.0.0.1:', '//localhost:')

/** Sends a request as a script of the page could, with its session. */
export const askedFrom = (page: Page, path: string, method = 'GET', body: object | null = null) =>
  page.evaluate(
    async ([to, how, what]) => {
      const response = await fetch(to, {
        method: how,
        headers: { 'content-type': 'application/json' },
        ...(what === null ? {} : { body: JSON.stringify(what) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    [path, method, body] as const,
  )

/** What the browser complains of, but for the answers that a test expects; it names each one itself. */
export const complaintsBut = ({ complaints }: Browser, ...expected: ReadonlyArray<number>): ReadonlyArray<string> =>
  complaints.filter((each) => !expected.some((status) => each.includes(`status of ${status}`)))
