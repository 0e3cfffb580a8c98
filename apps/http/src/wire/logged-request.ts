import { withoutSessionIds } from '@quittance/host'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

const idOfOurs = /^[a-z]{2,4}_[0-9A-Za-z]{22}$/

/**
 * A request in the log: its method, and its route with our own ids, of sessions their beginning. The rest of the address
 * (tokens, emails), the headers, the body and the client's address are not logged.
 */
export const loggedRequest = ({ method, routeOptions, params }: FastifyRequest) => ({
  method,
  path: routeOptions.url?.replaceAll(/:(\w+)/g, (name, parameter: string) => {
    const value = Object.entries(params ?? {}).find(([known]) => known === parameter)?.[1]
    return typeof value === 'string' && idOfOurs.test(value) ? withoutSessionIds(value) : name
  }),
})

/** Logs a request once, when it has been answered or has failed. */
export class OneLinePerRequest extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, req: FastifyRequest, res: FastifyReply): void {
    const facts = { req, res, responseTime: res.elapsedTime }
    if (error) res.log.error({ ...facts, err: error }, 'request errored')
    else res.log.info(facts, 'request completed')
  }
}
