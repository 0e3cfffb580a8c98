import { type Billing, type PortalPlace, type PortalVisit, portalSessionMs } from '@quittance/billing'
import {
  id,
  NewPortalSession,
  oneOf,
  optional,
  PortalProof,
  PortalSession,
  says,
  text,
  WalletAddress,
  WalletChallenge,
  withDefault,
} from '@quittance/client/wire'
import type { FastifyReply } from 'fastify'
import * as t from 'io-ts'
import {
  addressFor,
  type Reader,
  refusalFor,
  renderClosedPortal,
  renderPortal,
  renderRefusedPortal,
  renderTroubledPortal,
} from '../page/index.ts'
import { pageSecurityHeaders } from '../page/security-headers.ts'
import { keyed, open, visited } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofProofs } from '../wire/declared-codes.ts'
import { HttpError } from '../wire/errors.ts'
import { portalCookie } from '../wire/portal-cookie.ts'
import { command, form, page, type Route } from '../wire/route.ts'
import { readerOf } from './reader.ts'
import { sendPage } from './send-page.ts'

const html = { _tag: 'media', type: 'text/html' } as const

/** A visit shows what these scopes show, and may end subscriptions. */
const inviting = keyed(
  'customers:write',
  'customers:read',
  'payments:read',
  'subscriptions:read',
  'subscriptions:write',
)

/** Shows a refusal as a page. */
const refused = (error: HttpError, reply: FastifyReply) =>
  sendPage(reply, error.status, (reader) => renderRefusedPortal(reader, refusalFor(reader, error)))

/** The status of a page and what it shows. */
type Shown = readonly [status: number, render: (reader: Reader) => string]
const isClosed: Shown = [401, renderClosedPortal]
const newest: PortalPlace = { subscriptions: null, payments: null }

/** The customer portal: the invitation, the link that works once, and the page of the session. */
export const portalRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { portal } = billing
  /** The visitor's page, or the closed page without a session or a customer. */
  const show = async (
    reply: FastifyReply,
    visit: PortalVisit | null,
    place: PortalPlace,
    refusal: HttpError | null = null,
  ) => {
    const [status, render] = visit === null ? isClosed : await shown(visit, place, refusal)
    return sendPage(reply, status, render, { hasForms: true })
  }
  const shown = async (visit: PortalVisit, place: PortalPlace, refusal: HttpError | null): Promise<Shown> => {
    try {
      const view = await answerOf(portal.view(visit, place))
      const problem = (reader: Reader) => (refusal === null ? null : refusalFor(reader, refusal))
      return [refusal?.status ?? 200, (reader) => renderPortal(reader, view, visit, place, problem(reader))]
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      if (error.status === 404) return isClosed
      return [error.status, (reader) => renderTroubledPortal(reader, refusalFor(reader, error))]
    }
  }
  return [
    command(billing, {
      method: 'POST',
      path: '/customers/:id/portal',
      summary: 'Invite a customer to their portal',
      auth: inviting,
      params: { id: id('cus_') },
      body: withDefault(NewPortalSession, { return_url: null }),
      answer: PortalSession,
      receipt: 'all',
      handler: (context, { return_url }, { param }) => portal.open(context, param('id'), return_url),
    }),
    command(billing, {
      method: 'POST',
      path: '/portal/wallets',
      summary: 'Ask for a proof of a wallet that opens the portal of its customer',
      auth: keyed('customers:write'),
      body: WalletAddress,
      answer: WalletChallenge,
      receipt: 'all',
      problems: ['network_not_configured'],
      handler: (context, { address }) => portal.challenge(context, address),
    }),
    command(billing, {
      method: 'POST',
      path: '/portal/wallets/verify',
      summary: 'Invite the customer who has proven the wallet of a signed proof to their portal',
      auth: inviting,
      body: PortalProof,
      answer: PortalSession,
      receipt: 'all',
      problems: [...ofProofs, 'not_found', 'wallet_of_several', 'network_not_configured', 'ledger_unavailable'],
      fields: { customer: 'customer_id' },
      handler: (context, { transaction, customer_id, return_url }) =>
        portal.openByWallet(context, transaction, customer_id, return_url),
    }),
    page({
      path: '/portal/:token',
      summary: 'Visit the portal, once',
      auth: open,
      params: { token: says('The token of a portal session.', text(200)) },
      isBounded: true,
      // HEAD must not use up the link.
      isEndless: true,
      answers: { 303: html, 410: html },
      refused,
      handler: async ({ param, request }, reply) => {
        const secret = await portal.enter(param('token'))
        if (secret === null) return sendPage(reply, 410, renderClosedPortal)
        return reply
          .code(303)
          .headers(pageSecurityHeaders(null))
          .type('text/html; charset=utf-8')
          .header('location', addressFor(readerOf(request), '/portal'))
          .header(
            'set-cookie',
            portalCookie(secret, portal.isSecure() || request.protocol === 'https', portalSessionMs / 1000),
          )
          .send('')
      },
    }),
    page({
      path: '/portal',
      summary: "Show a customer's portal",
      auth: visited,
      query: t.type({
        subscriptions_after: says('The subscription after which theirs go on.', optional(id('sub_'))),
        payments_after: says('The payment after which theirs go on.', optional(id('pay_'))),
      }),
      isBounded: true,
      answers: { 200: html, 401: html, 503: html },
      refused,
      handler: ({ request, query: { subscriptions_after, payments_after } }, reply) =>
        show(reply, request.visitor, { subscriptions: subscriptions_after, payments: payments_after }),
    }),
    form({
      path: '/portal/subscriptions/:id',
      summary: 'Do what a customer asks for with a subscription of theirs, and lead back to the portal',
      auth: visited,
      params: { id: id('sub_') },
      body: t.type(
        {
          action: says(
            'What becomes of it; `keep` undoes a cancellation that is scheduled.',
            oneOf('cancel', 'keep', 'pause', 'resume', 'change_wallet'),
          ),
          form_token: says('The token that the page of the visitor holds.', optional(text(100))),
        },
        'PortalChange',
      ),
      isBounded: true,
      problems: ['outcome_unknown'],
      answers: { 303: html, 401: html, 404: html, 409: html, 503: html },
      refused,
      handler: async ({ request, param }, { action, form_token }, reply) => {
        const { visitor } = request
        if (visitor === null || form_token !== visitor.formToken) return show(reply, null, newest)
        try {
          const { authorization } = await answerOf(portal.change(visitor, param('id'), action))
          const next = action === 'change_wallet' ? authorization.update_url : null
          return reply
            .code(303)
            .header('location', addressFor(readerOf(request), next ?? '/portal'))
            .send('')
        } catch (error) {
          if (!(error instanceof HttpError)) throw error
          return show(reply, visitor, newest, error)
        }
      },
    }),
  ]
}
