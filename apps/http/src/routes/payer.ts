import { setTimeout as pause } from 'node:timers/promises'
import { AccountId } from '@quittance/domain'
import type { FastifyRequest } from 'fastify'
import * as t from 'io-ts'
import { answerOf } from '../wire/call.ts'
import { decodeBody, described, email, optional, text } from '../wire/decode.ts'
import { pathParameter, type RouteContext } from './route.ts'

const CustomerBody = t.type({ email, name: optional(text(250)), phone: optional(text(50)) })
const TransactionBody = t.type({ source_account: described(AccountId, 'a Stellar account (G…)') })
const SubmitBody = t.type({ transaction_xdr: text(100_000) })

const betweenLooksMs = 300
const longestStreamMs = 30 * 60 * 1000

/** What anyone may do who has a checkout's address. `perMinute` bounds the requests of one address. */
export const payerRoutes = ({ server, billing }: RouteContext, perMinute: number): void => {
  const bounded = { config: { rateLimit: { max: perMinute, timeWindow: '1 minute' } } }
  const idOf = (request: FastifyRequest) => pathParameter(request.params, 'id')

  server.get('/pay/:id/quote', bounded, async (request) => ({
    data: await answerOf(billing.payer.quote(idOf(request))),
  }))
  server.get('/pay/:id/status', bounded, async (request) => ({
    data: await answerOf(billing.payer.status(idOf(request))),
  }))
  server.post('/pay/:id/customer', bounded, async (request) => ({
    data: await answerOf(billing.payer.attachCustomer(idOf(request), decodeBody(CustomerBody, request.body))),
  }))
  server.post('/pay/:id/transaction', bounded, async (request) => {
    const { source_account } = decodeBody(TransactionBody, request.body)
    return { data: await answerOf(billing.payer.transaction(idOf(request), source_account)) }
  })
  server.post('/pay/:id/submit', bounded, async (request) => {
    const { transaction_xdr } = decodeBody(SubmitBody, request.body)
    return { data: await answerOf(billing.payer.submit(idOf(request), transaction_xdr)) }
  })
  server.get('/pay/:id/events', bounded, async (request, reply) => {
    const id = idOf(request)
    const first = await answerOf(billing.payer.status(id))
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-request-id': request.id })
    const gone = new AbortController()
    raw.on('close', () => gone.abort())
    const until = Date.now() + longestStreamMs
    let shown = ''
    let status = first
    while (!gone.signal.aborted && Date.now() < until) {
      const text = JSON.stringify(status)
      if (text !== shown) raw.write(`data: ${text}\n\n`)
      shown = text
      if (status.status === 'completed' || status.status === 'failed') break
      await pause(betweenLooksMs, undefined, { signal: gone.signal }).catch(() => undefined)
      status = await answerOf(billing.payer.status(id))
    }
    raw.end()
  })
}
