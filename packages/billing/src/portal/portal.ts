import { randomBytes } from 'node:crypto'
import { unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, customerToAnswerFrom } from '../features/customers/living.ts'
import type { SubscriptionFailure } from '../features/subscriptions/subscriptions.ts'
import type { ClaimLost } from '../kernel/claims.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestamp } from '../resources/fields.ts'
import type { SubscriptionResource } from '../resources/subscription.ts'
import type { Services } from '../services/services.ts'
import type { Visitor } from '../stores/portal-sessions.ts'
import { changeSubscription, type PortalAction } from './portal-subscription.ts'
import { type PortalPlace, type PortalView, portalView } from './portal-view.ts'

export type PortalSession = {
  readonly object: 'portal_session'
  readonly url: string
  readonly token: string
  readonly expires_at: string
}

/** Whose session it is, and what the forms of its pages carry: nobody else can make a browser send that. */
export type PortalVisit = Visitor & { readonly formToken: string }

/** Where customers see what is theirs, without an account: their merchant vouches for them. */
export interface Portal {
  /** An address that is good for one visit within five minutes. */
  readonly open: (
    context: CommandContext,
    customerId: string,
  ) => TE.TaskEither<StoreUnavailable | CustomerNotFound | ClaimLost, PortalSession>
  /** Whether customers reach it by https alone. */
  readonly isSecure: () => boolean
  /** The visit: the secret of an hour's session, for the visitor's browser. Null for a token that is not good any more. */
  readonly enter: (token: string) => string | null
  /** Whose session a secret is; null once it has ended. */
  readonly visitor: (secret: string) => PortalVisit | null
  readonly view: (
    visitor: Visitor,
    place: PortalPlace,
  ) => TE.TaskEither<StoreUnavailable | CustomerNotFound, PortalView>
  /** Changes a subscription of the visitor's own. */
  readonly change: (
    visitor: Visitor,
    id: string,
    action: PortalAction,
  ) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
}

const visitWithinMs = 5 * 60 * 1000
export const portalSessionMs = 60 * 60 * 1000

export const portal = (services: Services): Portal => {
  const { vault, clock, portalSessions, publicUrl } = services
  const hashOf = (token: string) => vault.keyedHash('portal', token)
  return {
    open: (context, customerId) =>
      pipe(
        () => customerToAnswerFrom(services, context, customerId),
        TE.chainEitherKW(({ merchantId, environment }) => {
          // Derived from the command, as keys are: a repeated request shows the token that was stored.
          const bits = Buffer.from(vault.keyedHash('portal token', context.commandId), 'hex')
          const token = bits.toString('base64url')
          const validUntil = unixMs(context.at + visitWithinMs)
          const visitor = { merchantId, environment, customerId }
          return pipe(
            portalSessions.invite(hashOf(token), visitor, validUntil, context.alongside),
            E.map((): PortalSession => {
              const url = `${publicUrl()}/portal/${token}`
              return { object: 'portal_session', url, token, expires_at: timestamp(validUntil) }
            }),
          )
        }),
      ),
    isSecure: () => publicUrl().startsWith('https:'),
    enter: (token) => {
      const secret = randomBytes(32).toString('base64url')
      const now = clock.now()
      return portalSessions.enter(hashOf(token), hashOf(secret), unixMs(now + portalSessionMs), now) ? secret : null
    },
    visitor: (secret) => {
      const visitor = portalSessions.find(hashOf(secret), clock.now())
      return visitor === null ? null : { ...visitor, formToken: vault.keyedHash('portal form', secret) }
    },
    view: portalView(services),
    change: changeSubscription(services),
  }
}
