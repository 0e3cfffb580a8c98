import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '@quittance/domain'
import type { FastifyRequest } from 'fastify'
import { principalOf } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerList } from '../wire/lists.ts'
import { keyed, keyedList, pathParameter, type RouteContext } from './route.ts'

/** Reads what an environment's ledger has closed until now. */
export type CatchUp = (environment: Environment) => Promise<void>

const statuses = ['pending', 'confirmed', 'failed']
const longestCatchUpMs = 2_000

/** `/payment`, also under the plural. A pending payment is answered once the ledger was read, or has taken too long. */
export const paymentRoutes = ({ server, billing }: RouteContext, catchUp: CatchUp): void => {
  const { payments } = billing
  const retrieve = async (request: FastifyRequest) => {
    const principal = principalOf(request)
    const look = payments.retrieve(principal, pathParameter(request, 'id'))
    const found = await answerOf(look)
    if (found.status !== 'pending') return found
    const timer = new AbortController()
    const enough = pause(longestCatchUpMs, undefined, { signal: timer.signal }).catch(() => undefined)
    const caughtUp = catchUp(principal.environment).catch((cause: unknown) =>
      request.log.error({ err: cause }, 'a pending payment could not be brought up to date'),
    )
    await Promise.race([caughtUp, enough])
    timer.abort()
    return answerOf(look)
  }
  for (const path of ['/payment', '/payments']) {
    server.get(path, keyedList('subscription_id'), (request) =>
      answerList(request, path, payments, { customer: true, statuses }),
    )
    server.get(`${path}/:id`, keyed, async (request) => ({ data: await retrieve(request) }))
  }
}
