import { setTimeout as pause } from 'node:timers/promises'
import { type Billing, type Principal, visiblePayment } from '@quittance/billing'
import { id, Payment, PaymentStatus } from '@quittance/client/wire'
import type { Environment } from '@quittance/domain'
import type { CatchUp } from '@quittance/host'
import type { FastifyBaseLogger } from 'fastify'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { list } from '../wire/lists.ts'
import { atMoment, isOfPast, momentQuery, readableAt } from '../wire/moment.ts'
import { type Route, route } from '../wire/route.ts'

const longestCatchUpMs = 2_000

/** Served as `/payment` and `/payments`. */
export const paymentRoutes = (billing: Billing, catchUp: CatchUp): ReadonlyArray<Route> =>
  ['/payment', '/payments'].flatMap((path) => [
    list({
      path,
      summary: 'List payments',
      auth: keyed('payments:read'),
      of: Payment,
      from: atMoment(billing, (then) => then.payments),
      status: PaymentStatus,
      byCustomer: true,
      bySubscription: true,
      visible: visiblePayment,
    }),
    route({
      method: 'GET',
      path: `${path}/:id` as const,
      summary: 'Retrieve a payment; a pending one once the ledger was read, or has taken too long',
      auth: keyed('payments:read'),
      params: { id: id('pay_') },
      query: t.type(momentQuery),
      answer: Payment,
      handler: async ({ param, principal, reads, query, request }) => {
        const payment = isOfPast(query)
          ? await answerOf(readableAt(billing, query).payments.retrieve(principal(), param('id')))
          : await retrieve(billing, catchUp, principal(), param('id'), request.log)
        return visiblePayment(reads(), payment)
      },
    }),
  ])

const retrieve = async (
  { payments }: Billing,
  catchUp: CatchUp,
  principal: Principal,
  paymentId: string,
  log: FastifyBaseLogger,
) => {
  const look = payments.retrieve(principal, paymentId)
  const found = await answerOf(look)
  if (found.status !== 'pending') return found
  await caughtUp(catchUp, principal.environment, log)
  return answerOf(look)
}

/** Resolves once the ledger was read or could not be read, or after a time limit. */
export const caughtUp = async (catchUp: CatchUp, environment: Environment, log: FastifyBaseLogger): Promise<void> => {
  const timer = new AbortController()
  const enough = pause(longestCatchUpMs, undefined, { signal: timer.signal }).catch(() => undefined)
  const read = catchUp(environment).catch((cause: unknown) =>
    log.error({ err: cause }, 'the ledger could not be read for a request'),
  )
  await Promise.race([read, enough])
  timer.abort()
}
