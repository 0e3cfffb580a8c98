import { once } from 'node:events'
import { createServer } from 'node:http'
import type { CheckoutPage } from '../checkout-page.ts'
import { pageAssets, pageSecurityHeaders, renderCheckoutPage, renderQr } from '../index.ts'
import { type Reader, readerFrom } from '../reader.ts'

/** A page by its name: a checkout, or another page of a reader. */
export type Scene = CheckoutPage | ((reader: Reader) => string)

const html = { 'content-type': 'text/html; charset=utf-8' }

/** What the service tells the script of a checkout. */
const statusOf = ({ status, quote, failureReason, redirectUrl }: CheckoutPage) => ({
  status,
  amount_received: quote?.amount_received ?? null,
  amount_due: quote?.amount_due ?? null,
  transaction_hash: status === 'completed' ? 'ab'.repeat(32) : null,
  failure_reason: failureReason,
  late: false,
  redirect_url: redirectUrl,
})

/**
 * Pages of which nothing changes, with their scripts and styles, at `/pay/<name>`, behind the headers of the service. What the
 * scripts of a checkout ask for is answered as the scene has it.
 */
export const openStage = async (scenes: Readonly<Record<string, Scene>>) => {
  const answer = async (
    url: URL,
    acceptLanguage: string,
  ): Promise<[status: number, headers: object, body: string | Buffer]> => {
    const asset = pageAssets.get(url.pathname)
    if (asset !== undefined) return [200, { 'content-type': asset.contentType }, asset.body]
    const [, , name = '', path = ''] = url.pathname.split('/')
    const scene = scenes[decodeURIComponent(name)]
    if (scene === undefined) return [404, {}, '']
    const reader = readerFrom({ url: `${url.pathname}${url.search}`, acceptLanguage, canReturn: true })
    if (typeof scene === 'function') {
      const headers = pageSecurityHeaders(null, { hasForms: true, hasFrames: true })
      return [200, { ...headers, ...html }, scene(reader)]
    }
    const json = (data: unknown): [number, object, string] => [
      200,
      { 'content-type': 'application/json', date: new Date(scene.now).toUTCString() },
      JSON.stringify({ data }),
    ]
    if (path === 'status') return json(statusOf(scene))
    if (path === 'quote') return json(scene.quote)
    if (path === 'qr.svg')
      return [200, { 'content-type': 'image/svg+xml' }, await renderQr(scene.quote?.sep7_uri ?? '')]
    if (path === 'events') return [204, {}, '']
    const shown = { ...scene, checkoutId: name, reader }
    return [200, { ...pageSecurityHeaders(shown), ...html }, await renderCheckoutPage(shown)]
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stage.example')
    void answer(url, request.headers['accept-language'] ?? '').then(([status, headers, body]) => {
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, String(value))
      response.statusCode = status
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: (name: string, language: string) => `http://127.0.0.1:${port}/pay/${name}?lang=${language}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
