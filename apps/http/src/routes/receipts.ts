import type { Billing, Receipt } from '@quittance/billing'
import { payableId, says, text } from '@quittance/client/wire'
import type { FastifyReply } from 'fastify'
import {
  addressFor,
  languageHeaders,
  pageSecurityHeaders,
  receiptPdf,
  renderNoReceipt,
  renderReceipt,
} from '../page/index.ts'
import type { Showing } from '../page/receipt/receipt-lines.ts'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import type { HttpError } from '../wire/errors.ts'
import { page, type Route } from '../wire/route.ts'
import { readerOf } from './reader.ts'
import { sendPage } from './send-page.ts'

const html = { _tag: 'media', type: 'text/html' } as const
const pdf = { _tag: 'media', type: 'application/pdf' } as const
const shared = { auth: open, isBounded: true } as const
const byToken = { params: { token: says('The last part of the address of a receipt.', text(200)) } } as const
const bySession = { params: { id: payableId } } as const

/** The receipts of payments, as pages and as files: by an address that nobody can guess, and by that of a checkout. */
export const receiptRoutes = (
  { receipts }: Billing,
  showing: Omit<Showing, 'reader'>,
  publicUrl: () => string,
): ReadonlyArray<Route> => {
  const sendReceipt = (reply: FastifyReply, receipt: Receipt, file: string) =>
    sendPage(reply, 200, (reader) => renderReceipt(receipt, { ...showing, reader }, addressFor(reader, file)))
  const sendFile = async (reply: FastifyReply, receipt: Receipt, address: string) => {
    const reader = readerOf(reply.request)
    return reply
      .headers({ ...pageSecurityHeaders(null), ...languageHeaders(reader) })
      .header('content-disposition', `attachment; filename="${reader.words.receipt.fileName}-${receipt.number}.pdf"`)
      .type('application/pdf')
      .send(await receiptPdf(receipt, { ...showing, reader }, `${publicUrl()}${addressFor(reader, address)}`))
  }
  const refused = (error: HttpError, reply: FastifyReply) => sendPage(reply, error.status, renderNoReceipt)
  return [
    page({
      ...shared,
      ...byToken,
      path: '/receipts/:token',
      summary: 'Show the receipt of a payment',
      answers: { 200: html },
      problems: ['not_found'],
      refused,
      handler: async ({ param }, reply) => {
        const token = param('token')
        return sendReceipt(reply, await answerOf(receipts.byToken(token)), `/receipts/${token}/receipt.pdf`)
      },
    }),
    page({
      ...shared,
      ...byToken,
      path: '/receipts/:token/receipt.pdf',
      summary: 'Send the receipt of a payment as a file',
      answers: { 200: pdf },
      problems: ['not_found'],
      refused,
      handler: async ({ param }, reply) => {
        const token = param('token')
        return sendFile(reply, await answerOf(receipts.byToken(token)), `/receipts/${token}`)
      },
    }),
    page({
      ...shared,
      ...bySession,
      path: '/pay/:id/receipt',
      summary: 'Show the receipt of what completed a checkout or an invoice, without the person',
      answers: { 200: html },
      problems: ['not_found'],
      refused,
      handler: async ({ param }, reply) => {
        const id = param('id')
        return sendReceipt(reply, await answerOf(receipts.bySession(id)), `/pay/${id}/receipt.pdf`)
      },
    }),
    page({
      ...shared,
      ...bySession,
      path: '/pay/:id/receipt.pdf',
      summary: 'Send that receipt as a file',
      answers: { 200: pdf },
      problems: ['not_found'],
      refused,
      handler: async ({ param }, reply) => {
        const id = param('id')
        return sendFile(reply, await answerOf(receipts.bySession(id)), `/pay/${id}/receipt`)
      },
    }),
  ]
}
