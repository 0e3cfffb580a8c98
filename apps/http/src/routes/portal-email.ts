import type { Billing, PortalVisit } from '@quittance/billing'
import { email, optional, says, text } from '@quittance/client/wire'
import type { FastifyReply } from 'fastify'
import * as t from 'io-ts'
import {
  addressFor,
  type Reader,
  refusalFor,
  renderClosedPortal,
  renderEmailChanged,
  renderEmailCodes,
  renderRefusedPortal,
} from '../page/index.ts'
import { visited } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError } from '../wire/errors.ts'
import { form, page, type Route } from '../wire/route.ts'
import { readerOf } from './reader.ts'
import { sendPage } from './send-page.ts'

const html = { _tag: 'media', type: 'text/html' } as const

const shown = (reply: FastifyReply, status: number, render: (reader: Reader) => string) =>
  sendPage(reply, status, render, { hasForms: true })

const refused = (error: HttpError, reply: FastifyReply) =>
  shown(reply, error.status, (reader) => renderRefusedPortal(reader, refusalFor(reader, error)))

/** Shows what `work` does for a visitor whose own page has sent the form, and the closed page to all others. */
const forVisitor = async (
  reply: FastifyReply,
  visit: PortalVisit | null,
  formToken: string | null,
  work: (visit: PortalVisit) => Promise<unknown>,
  onRefusal: (refusal: HttpError, visit: PortalVisit) => unknown,
) => {
  if (visit === null || formToken !== visit.formToken) return shown(reply, 401, renderClosedPortal)
  try {
    return await work(visit)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return error.status === 404 ? shown(reply, 401, renderClosedPortal) : onRefusal(error, visit)
  }
}

const form_token = says('The token that the page of the visitor holds.', optional(text(100)))
const change_id = says('Which change of the email it is.', text(100))

/** A customer's change of their email in the portal, by codes that go to both addresses. */
export const portalEmailRoutes = ({ portal }: Billing): ReadonlyArray<Route> => [
  form({
    path: '/portal/email',
    summary: 'Send codes to the new and the present email of the visitor, and lead to the page that asks for them',
    auth: visited,
    body: t.type({ email: says('The new email.', email), form_token }, 'NewEmailForm'),
    isBounded: true,
    answers: { 303: html, 401: html, 409: html, 429: html, 503: html },
    refused,
    handler: ({ request }, body, reply) =>
      forVisitor(
        reply,
        request.visitor,
        body.form_token,
        async (visit) => {
          const id = await answerOf(portal.askForEmailChange(visit, body.email))
          const next = addressFor(readerOf(request), `/portal/email?change_id=${id}`)
          return reply.code(303).header('location', next).send('')
        },
        (refusal) => refused(refusal, reply),
      ),
  }),
  page({
    path: '/portal/email',
    summary: 'Ask the visitor for the codes from the new and the present email',
    auth: visited,
    query: t.type({ change_id }),
    isBounded: true,
    answers: { 200: html, 401: html },
    refused,
    handler: async ({ request: { visitor }, query: { change_id } }, reply) =>
      visitor === null
        ? shown(reply, 401, renderClosedPortal)
        : shown(reply, 200, (reader) => renderEmailCodes(reader, change_id, visitor.formToken)),
  }),
  form({
    path: '/portal/email/confirm',
    summary: "Change the visitor's email by both codes",
    auth: visited,
    body: t.type(
      {
        change_id,
        new_code: says('The code from the new email.', text(100)),
        old_code: says('The code from the present email.', text(100)),
        form_token,
      },
      'EmailCodesForm',
    ),
    isBounded: true,
    answers: { 200: html, 400: html, 401: html, 409: html, 503: html },
    refused,
    handler: ({ request }, { change_id, new_code, old_code, form_token: token }, reply) =>
      forVisitor(
        reply,
        request.visitor,
        token,
        async (visit) => {
          await answerOf(portal.confirmEmailChange(visit, change_id, { ofNew: new_code, ofOld: old_code }))
          return shown(reply, 200, renderEmailChanged)
        },
        (refusal, { formToken }) =>
          shown(reply, refusal.status, (reader) =>
            renderEmailCodes(reader, change_id, formToken, refusalFor(reader, refusal)),
          ),
      ),
  }),
]
