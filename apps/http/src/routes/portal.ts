import { type Billing, portalSessionMs, type Visitor } from '@quittance/billing'
import { id, PortalSession, text } from '@quittance/client/wire'
import { renderClosedPortal, renderPortal } from '../page/index.ts'
import { pageSecurityHeaders } from '../page/security-headers.ts'
import { keyed, open, visited } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError } from '../wire/errors.ts'
import { portalCookie } from '../wire/portal-cookie.ts'
import { command, page, type Route } from '../wire/route.ts'

const html = { _tag: 'media', type: 'text/html' } as const

/** The portal: an invitation for the merchant's customer, its one visit, and the session's page. */
export const portalRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { portal } = billing
  const shown = async (visitor: Visitor): Promise<string | null> => {
    try {
      return renderPortal(await answerOf(portal.view(visitor)))
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error
      return null
    }
  }
  return [
    command(billing, {
      method: 'POST',
      path: '/customers/:id/portal',
      summary: 'Invite a customer to their portal',
      auth: keyed('customers:write'),
      params: { id: id('cus_') },
      answer: PortalSession,
      handler: (context, _, { param }) => portal.open(context, param('id')),
    }),
    page({
      path: '/portal/:token',
      summary: 'Visit the portal, once',
      auth: open,
      params: { token: text(200) },
      isBounded: true,
      // What only looks at the address (HEAD) must not use it up.
      isEndless: true,
      answers: { 303: html, 410: html },
      handler: async ({ param }, reply) => {
        const secret = portal.enter(param('token'))
        reply.headers(pageSecurityHeaders(null)).type('text/html; charset=utf-8')
        if (secret === null) return reply.code(410).send(renderClosedPortal())
        return reply
          .code(303)
          .header('location', '/portal')
          .header('set-cookie', portalCookie(secret, portal.isSecure(), portalSessionMs / 1000))
          .send('')
      },
    }),
    page({
      path: '/portal',
      summary: "Show a customer's portal",
      auth: visited,
      isBounded: true,
      answers: { 200: html, 401: html },
      handler: async ({ request }, reply) => {
        const markup = request.visitor === null ? null : await shown(request.visitor)
        return reply
          .code(markup === null ? 401 : 200)
          .headers(pageSecurityHeaders(null))
          .type('text/html; charset=utf-8')
          .send(markup ?? renderClosedPortal())
      },
    }),
  ]
}
