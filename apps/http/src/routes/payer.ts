import { AccountId } from '@quittance/domain'
import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import * as t from 'io-ts'
import { answerOf } from '../wire/call.ts'
import { decodeBody, described, email, optional, phone, text } from '../wire/decode.ts'
import { streamStates } from '../wire/event-stream.ts'
import { pathParameter, type RouteContext } from './route.ts'

const CustomerBody = t.type({ email, name: optional(text(250)), phone: optional(phone) })
const TransactionBody = t.type({ source_account: described(AccountId, 'a Stellar account (G…)') })
const SubmitBody = t.type({ transaction_xdr: text(100_000) })

/** What anyone may do who has a checkout's address. `bounded` limits the requests of one address. */
export const payerRoutes = ({ server, billing }: RouteContext, bounded: RouteShorthandOptions): void => {
  const { payer } = billing
  const idOf = (request: FastifyRequest) => pathParameter(request, 'id')

  server.get('/pay/:id/quote', bounded, async (request) => ({ data: await answerOf(payer.quote(idOf(request))) }))
  server.get('/pay/:id/status', bounded, async (request) => ({ data: await answerOf(payer.status(idOf(request))) }))
  server.post('/pay/:id/customer', bounded, async (request) => {
    const details = decodeBody(CustomerBody, request.body)
    return { data: await answerOf(payer.attachCustomer(idOf(request), details)) }
  })
  server.post('/pay/:id/transaction', bounded, async (request) => {
    const { source_account } = decodeBody(TransactionBody, request.body)
    return { data: await answerOf(payer.transaction(idOf(request), source_account)) }
  })
  server.post('/pay/:id/submit', bounded, async (request) => {
    const { transaction_xdr } = decodeBody(SubmitBody, request.body)
    return { data: await answerOf(payer.submit(idOf(request), transaction_xdr)) }
  })

  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  // A stream that never ends by itself cannot be looked at without its body.
  server.get('/pay/:id/events', { ...bounded, exposeHeadRoute: false }, (request, reply) =>
    streamStates(
      reply,
      () => answerOf(payer.status(idOf(request))),
      ({ status }) => status === 'completed' || status === 'failed',
      closing.signal,
    ),
  )
}
