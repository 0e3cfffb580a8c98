import type { Billing, QuoteView } from '@quittance/billing'
import { payableId } from '@quittance/client/wire'
import type { FastifyInstance } from 'fastify'
import {
  type CheckoutPage,
  languageHeaders,
  pageAssets,
  pageSecurityHeaders,
  type Reader,
  renderCheckoutPage,
  renderNotFoundPage,
  renderQr,
} from '../page/index.ts'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofQuotes } from '../wire/declared-codes.ts'
import { HttpError } from '../wire/errors.ts'
import { page, type Route } from '../wire/route.ts'
import { readerOf } from './reader.ts'

const html = 'text/html; charset=utf-8'
const params = { id: payableId }

/**
 * The hosted pages of checkouts, invoices and requests for a new authorisation. `sandbox` is the network of the
 * sandbox's wallet.
 */
export const pageRoutes = (
  billing: Billing,
  { sandbox, walletConnect }: Pick<CheckoutPage, 'sandbox' | 'walletConnect'>,
): ReadonlyArray<Route> => {
  const pageOf = async (checkoutId: string, reader: Reader): Promise<CheckoutPage> => {
    const shown = await answerOf(billing.payer.page(checkoutId))
    const network = shown.environment === 'testnet' ? sandbox : null
    const now = new Date(billing.clock.now(shown.environment)).toISOString()
    const { isSubscription, ...facts } = shown
    const kind = kindOf(checkoutId, isSubscription)
    return {
      ...facts,
      reader,
      kind,
      now,
      quote: payable(shown.quote),
      isSandbox: network !== null,
      sandbox: network,
      walletConnect,
    }
  }
  return [
    page({
      path: '/pay/:id',
      summary: 'Show the hosted page of a checkout, an invoice, or what asks for a new authorisation',
      auth: open,
      params,
      isBounded: true,
      answers: { 200: { _tag: 'media', type: 'text/html' }, 404: { _tag: 'media', type: 'text/html' } },
      problems: ['merchant_not_ready'],
      handler: async ({ param, request }, reply) => {
        const reader = readerOf(request)
        try {
          const shown = await pageOf(param('id'), reader)
          return await reply
            .headers({ ...pageSecurityHeaders(shown), ...languageHeaders(reader) })
            .type(html)
            .send(await renderCheckoutPage(shown))
        } catch (error) {
          if (!(error instanceof HttpError) || error.status !== 404) throw error
          return reply
            .code(404)
            .headers({ ...pageSecurityHeaders(null), ...languageHeaders(reader) })
            .type(html)
            .send(renderNotFoundPage(reader))
        }
      },
    }),
    page({
      path: '/pay/:id/qr.svg',
      summary: 'Draw the QR code that opens a wallet',
      auth: open,
      params,
      isBounded: true,
      answers: { 200: { _tag: 'media', type: 'image/svg+xml' } },
      problems: ofQuotes,
      handler: async ({ param }, reply) => {
        const { sep7_uri } = await answerOf(billing.payer.quote(param('id')))
        if (sep7_uri === null) throw new HttpError(409, 'checkout_not_open', 'Nothing is due')
        return reply
          .header('cache-control', 'no-store')
          .type('image/svg+xml')
          .send(await renderQr(sep7_uri))
      },
    }),
  ]
}

/** The scripts and style sheets of pages. */
export const pageFiles = (server: FastifyInstance): void => {
  for (const [path, asset] of pageAssets) {
    server.get(path, { config: { auth: open } }, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(asset.contentType)
        .send(asset.body),
    )
  }
}

const kindOf = (pageId: string, isSubscription: boolean): CheckoutPage['kind'] => {
  if (pageId.startsWith('inv_')) return 'invoice'
  if (pageId.startsWith('auth_')) return 'authorization'
  return isSubscription ? 'subscription' : 'payment'
}

/** A quote that can be paid; null without a price. */
const payable = (quote: QuoteView | null): CheckoutPage['quote'] => {
  if (quote === null) return null
  const { amount, valid_until, sep7_uri, mandate } = quote
  return amount === null || valid_until === null || (sep7_uri === null && mandate === null)
    ? null
    : { ...quote, amount, valid_until }
}
