import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, startBrowser } from '@quittance/http/testing/browser'
import { type ServiceProcess, startProcess } from '@quittance/http/testing/child-process'
import type { Request } from 'playwright-core'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 7

type Visit = { readonly paintMs: number; readonly bytes: number }

/** Runs in the page. */
const firstPaintMs = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
  })
  observer.observe({ type: 'paint', buffered: true })
})`

/** Opens a page as a browser that has never been here, and waits until it asks for nothing more. */
const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const page = await browser.context.newPage()
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  const finished: Array<Request> = []
  page.on('requestfinished', (request) => finished.push(request))
  await page.goto(url, { waitUntil: 'load' })
  const paintMs = Number(await page.evaluate(firstPaintMs))
  const loaded = finished.filter((request) => !request.url().startsWith('data:'))
  const answers = await Promise.all(loaded.map((request) => request.response()))
  const shown = answers.filter((answer) => answer !== null && answer.status() < 300)
  const sizes = await Promise.all(shown.map(async (answer) => gzipSync((await answer?.body()) ?? '').length))
  await page.close()
  return { paintMs, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** The addresses of payers' pages in a shop that has sold something. */
const pagesOf = async ({ api, url }: ServiceProcess): Promise<Readonly<Record<string, () => Promise<string>>>> => {
  const sell = async (product: object): Promise<string> => {
    const { id } = (await api('/product', { body: { currency_code: 'EUR', price_amount: 12.5, ...product } })).body.data
    const asked = { product_id: id, customer_email: `${crypto.randomUUID()}@shop.example` }
    return (await api('/checkout?type=product', { body: asked })).body.data.id
  }
  const book = { name: 'A book', type: 'one_time' }
  const [open, paid] = [await sell(book), await sell(book)]
  const mandate = await sell({ name: 'A book club', type: 'subscription', recurring_period: 'month' })
  await api('/sandbox/pay', { body: { checkout_id: paid } })
  const { customer_id } = (await api(`/checkout/${paid}`)).body.data
  return {
    checkout: async () => `${url}/pay/${open}`,
    'checkout in German': async () => `${url}/pay/${open}?lang=de`,
    'checkout of a subscription': async () => `${url}/pay/${mandate}`,
    'paid checkout': async () => `${url}/pay/${paid}`,
    receipt: async () => `${url}/pay/${paid}/receipt`,
    portal: async () => (await api(`/customers/${customer_id}/portal`, { method: 'POST' })).body.data.url,
    'start page': async () => url,
  }
}

/**
 * The first contentful paint of payers' pages in Chromium on the same machine, with an empty cache and the processor as it is,
 * from a service in its own process: the median of seven visits in turn, after an uncounted one. The bytes are those of the
 * document and of everything that is there once it has loaded, before anybody touches it, each compressed by gzip.
 */
export const firstPaint: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const service = await startProcess(join(folder, 'data'))
    const browser = await startBrowser()
    const pages = Object.entries(await pagesOf(service))
    const visits = new Map<string, Array<Visit>>(pages.map(([name]) => [name, []]))
    for (let round = 0; round <= rounds; round++) {
      for (const [name, address] of pages) {
        const seen = await visit(browser, await address())
        if (round > 0) visits.get(name)?.push(seen)
      }
    }
    await browser.close()
    await service.kill()
    const report: Record<string, number> = {}
    for (const [name, seen] of visits) {
      report[`${name}, first paint, ms`] = median(seen.map(({ paintMs }) => paintMs))
      report[`${name}, kB of gzip`] = median(seen.map(({ bytes }) => bytes)) / 1000
    }
    return report
  })
