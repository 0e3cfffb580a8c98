import { type Billing, type PortalDoor, portalSessionMs } from '@quittance/billing'
import { EnteredCode, PortalEntry, PortalEntryRequest, PortalSession, says, text } from '@quittance/client/wire'
import { Environment } from '@quittance/domain'
import type { FastifyReply } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  addressFor,
  type Reader,
  refusalFor,
  renderNoDoor,
  renderPortalCode,
  renderPortalEntry,
  renderRefusedPortal,
  renderSpentCode,
} from '../page/index.ts'
import { pageSecurityHeaders } from '../page/security-headers.ts'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { clientOf } from '../wire/client-address.ts'
import { HttpError } from '../wire/errors.ts'
import { portalCookie } from '../wire/portal-cookie.ts'
import { form, page, type Route, route } from '../wire/route.ts'
import { readerOf } from './reader.ts'
import { sendPage } from './send-page.ts'

const merchant = says('The merchant whose customer asks.', text(100))
const environment = says('Where the customer is.', Environment)
const entryId = says('Which request for a code it is.', text(100))

const html = { _tag: 'media', type: 'text/html' } as const

const shown = (reply: FastifyReply, status: number, render: (reader: Reader) => string) =>
  sendPage(reply, status, render, { hasForms: true })

const refused = (error: HttpError, reply: FastifyReply) =>
  shown(reply, error.status, (reader) => renderRefusedPortal(reader, refusalFor(reader, error)))

/** Entry to the portal by a code that is sent to the customer's email: for programs, and as two pages. */
export const portalEntryRoutes = ({ portal }: Billing): ReadonlyArray<Route> => {
  const { entries } = portal
  return [
    route({
      method: 'POST',
      path: '/portal/entry',
      summary: 'Send a code that opens the portal to the email of a customer, if there is such a customer',
      auth: open,
      isBounded: true,
      body: PortalEntryRequest,
      answer: PortalEntry,
      problems: ['not_found', 'mail_not_configured', 'too_many_codes'],
      handler: ({ request }, body) => {
        const scope = { merchantId: body.merchant_id, environment: body.environment }
        return answerOf(async () => entries.ask(scope, body.email, clientOf(request)))
      },
    }),
    route({
      method: 'POST',
      path: '/portal/entry/verify',
      summary: 'Invite the customer who has received a code to their portal',
      auth: open,
      isBounded: true,
      body: EnteredCode,
      answer: PortalSession,
      problems: ['code_invalid'],
      handler: (_, { entry_id, code }) => answerOf(portal.openByCode(entry_id, code)),
    }),
    page({
      path: '/portal/entry',
      summary: 'Ask a customer for their email, to send a code that opens the portal',
      auth: open,
      query: t.type({ merchant, environment }),
      isBounded: true,
      answers: { 200: html, 404: html },
      refused,
      handler: async ({ query: { merchant, environment } }, reply) => {
        const door = await entries.door({ merchantId: merchant, environment })
        return E.isLeft(door)
          ? shown(reply, 404, renderNoDoor)
          : shown(reply, 200, (reader) => renderPortalEntry(reader, door.right))
      },
    }),
    form({
      path: '/portal/entry/email',
      summary: 'Send a code, and lead to the page that asks for it',
      auth: open,
      body: t.type({ merchant, environment, email: PortalEntryRequest.props.email }, 'PortalEntryForm'),
      isBounded: true,
      answers: { 303: html, 404: html, 429: html, 503: html },
      refused,
      handler: async ({ request }, { merchant, environment, email }, reply) => {
        const scope = { merchantId: merchant, environment }
        const door = await entries.door(scope)
        if (E.isLeft(door)) return shown(reply, 404, renderNoDoor)
        try {
          const { id } = await answerOf(async () => entries.ask(scope, email, clientOf(request)))
          const next = addressFor(readerOf(request), `/portal/entry/code?entry_id=${id}`)
          return reply.code(303).header('location', next).send('')
        } catch (error) {
          if (!(error instanceof HttpError)) throw error
          return shown(reply, error.status, (reader) =>
            renderPortalEntry(reader, door.right, refusalFor(reader, error)),
          )
        }
      },
    }),
    page({
      path: '/portal/entry/code',
      summary: 'Ask a customer for the code that was sent',
      auth: open,
      query: t.type({ entry_id: entryId }),
      isBounded: true,
      answers: { 200: html, 410: html },
      refused,
      handler: async ({ query: { entry_id } }, reply) => askForCode(reply, await entries.doorOf(entry_id), entry_id),
    }),
    form({
      path: '/portal/entry/code',
      summary: 'Enter the portal by a code',
      auth: open,
      body: EnteredCode,
      isBounded: true,
      answers: { 303: html, 400: html, 410: html, 503: html },
      refused,
      handler: async ({ request }, { entry_id, code }, reply) => {
        const door = await entries.doorOf(entry_id)
        try {
          const { token } = await answerOf(portal.openByCode(entry_id, code))
          const secret = await portal.enter(token)
          if (secret === null) return shown(reply, 410, renderSpentCode)
          const isSecure = portal.isSecure() || request.protocol === 'https'
          return reply
            .code(303)
            .headers(pageSecurityHeaders(null))
            .header('location', addressFor(readerOf(request), '/portal'))
            .header('set-cookie', portalCookie(secret, isSecure, portalSessionMs / 1000))
            .send('')
        } catch (error) {
          if (!(error instanceof HttpError)) throw error
          return askForCode(reply, door, entry_id, error)
        }
      },
    }),
  ]
}

const askForCode = (reply: FastifyReply, door: PortalDoor | null, entryId: string, refusal: HttpError | null = null) =>
  door === null
    ? shown(reply, 410, renderSpentCode)
    : shown(reply, refusal?.status ?? 200, (reader) =>
        renderPortalCode(reader, door, entryId, refusal === null ? null : refusalFor(reader, refusal)),
      )
