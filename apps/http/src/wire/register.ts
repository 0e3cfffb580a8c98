import type { Billing } from '@quittance/billing'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler, RouteShorthandOptions } from 'fastify'
import { answerOf } from './call.ts'
import { HttpError } from './errors.ts'
import { problemOf } from './problems.ts'
import type { Route } from './route.ts'
import { refusalIn } from './server.ts'

/** Limits of requests: of each address to bounded routes, and of each key. Null: none. */
type Bounds = {
  readonly ofAddresses: onRequestAsyncHookHandler
  readonly ofKeys: onRequestAsyncHookHandler | null
}

/** Registers the routes. */
export const register = (
  server: FastifyInstance,
  routes: ReadonlyArray<Route>,
  { ofAddresses, ofKeys }: Bounds,
  { log, freezes, networkResets }: Pick<Billing, 'log' | 'freezes' | 'networkResets'>,
): void => {
  const refuseCommands = async ({ principal }: FastifyRequest): Promise<void> => {
    if (log.standing()._tag === 'RolledBack') throw problemOf({ _tag: 'Withheld', cause: 'log_rolled_back' }, {})
    if (principal === null) return
    await answerOf(networkResets.ensureNone(principal.environment))
    const refusal = await answerOf(freezes.refusalOf(principal))
    if (refusal !== null) throw refusals[refusal]()
  }
  const serve =
    (to: FastifyInstance) =>
    ({ method, path, auth, isBounded, isEndless, refused, respond }: Route): void => {
      to.route({
        method,
        url: path,
        config: { auth },
        exposeHeadRoute: method === 'GET' && !isEndless,
        onRequest: [...(isBounded ? [ofAddresses] : []), ...(auth.kind === 'key' && ofKeys !== null ? [ofKeys] : [])],
        ...(method === 'GET' || isOfSandbox(path) ? {} : { preHandler: refuseCommands }),
        ...(refused === undefined ? {} : { errorHandler: onPage(refused) }),
        handler: respond,
      })
    }
  routes.filter(({ isForm }) => !isForm).forEach(serve(server))
  // Only form routes parse form bodies, because a foreign page can send those without a script.
  server.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    routes.filter(({ isForm }) => isForm).forEach(serve(forms))
  })
}

const refusals = {
  suspended: () =>
    new HttpError(
      403,
      'merchant_suspended',
      'The operator of the service has suspended this merchant: its keys read, and change nothing',
    ),
  closed: () => new HttpError(403, 'merchant_closed', 'The merchant is closed: its keys read, and change nothing'),
  left: () =>
    new HttpError(
      403,
      'merchant_left',
      'The merchant has left this installation: its keys read here, and change nothing',
    ),
} as const

/** They move the network and not the log. */
const isOfSandbox = (path: string): boolean => path.startsWith('/sandbox/')

/** Whether a client accepts HTML. Programs that accept anything get JSON. */
export const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

/** Shows a refusal as a page to clients that accept HTML. Others get JSON. */
const onPage =
  (refused: NonNullable<Route['refused']>): NonNullable<RouteShorthandOptions['errorHandler']> =>
  (error, request, reply) => {
    const refusal = refusalIn(error)
    if (refusal === null || !takesPages(request)) throw error
    return refused(refusal, reply)
  }
