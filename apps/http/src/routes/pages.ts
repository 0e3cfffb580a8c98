import type { QuoteView } from '@quittance/billing'
import type { RouteShorthandOptions } from 'fastify'
import {
  type CheckoutPage,
  pageAssets,
  pageSecurityHeaders,
  renderCheckoutPage,
  renderNotFoundPage,
  renderQr,
} from '../page/index.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError } from '../wire/errors.ts'
import { open, pathParameter, type RouteContext } from './route.ts'

/** The hosted checkout page and what it loads. `sandbox` is where the sandbox's own wallet finds its network. */
export const pageRoutes = (
  { server, billing }: RouteContext,
  bounded: RouteShorthandOptions,
  sandbox: CheckoutPage['sandbox'],
): void => {
  const pageOf = async (id: string): Promise<CheckoutPage> => {
    const page = await answerOf(billing.payer.page(id))
    const network = page.environment === 'testnet' ? sandbox : null
    const now = new Date(billing.clock.now()).toISOString()
    return { ...page, now, quote: payable(page.quote), isSandbox: network !== null, sandbox: network }
  }

  server.get('/pay/:id', bounded, async (request, reply) => {
    try {
      const page = await pageOf(pathParameter(request, 'id'))
      return await reply
        .headers(pageSecurityHeaders(page))
        .type('text/html; charset=utf-8')
        .send(await renderCheckoutPage(page))
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error
      return reply
        .code(404)
        .headers(pageSecurityHeaders(null))
        .type('text/html; charset=utf-8')
        .send(renderNotFoundPage())
    }
  })
  server.get('/pay/:id/qr.svg', bounded, async (request, reply) => {
    const { sep7_uri } = await answerOf(billing.payer.quote(pathParameter(request, 'id')))
    if (sep7_uri === null) throw new HttpError(409, 'checkout_not_open', 'Nothing is due')
    return reply
      .header('cache-control', 'no-store')
      .type('image/svg+xml')
      .send(await renderQr(sep7_uri))
  })
  for (const [path, asset] of pageAssets) {
    server.get(path, open, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(asset.contentType)
        .send(asset.body),
    )
  }
}

/** A quote that a payer can act on; null for one without a price. */
const payable = (quote: QuoteView | null): CheckoutPage['quote'] => {
  if (quote === null) return null
  const { amount, valid_until, sep7_uri } = quote
  return amount === null || valid_until === null || sep7_uri === null
    ? null
    : { ...quote, amount, valid_until, sep7_uri }
}
