import { randomBytes } from 'node:crypto'
import { unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClaimLost } from '../claims/port.ts'
import { type CustomerNotFound, customerToAnswerFrom, livingCustomer } from '../customers/living.ts'
import type { CommandContext } from '../execute.ts'
import type { StoreUnavailable } from '../load.ts'
import { payments } from '../payments/payments.ts'
import { timestamp } from '../resources/fields.ts'
import type { PaymentResource } from '../resources/payment.ts'
import { type WalletResource, walletResource } from '../resources/wallet.ts'
import type { Services } from '../services.ts'
import type { Visitor } from './sessions.ts'

export type PortalSession = {
  readonly object: 'portal_session'
  readonly url: string
  readonly token: string
  readonly expires_at: string
}

/** A payment as its payer sees it. `amount` is such as `12.5 USDC`; `at`: when it was confirmed, or begun. */
type PortalPayment = Pick<PaymentResource, 'amount' | 'status' | 'transaction_hash'> & { readonly at: string }

/** What customers see of themselves. Nothing that names a person: the browser may be anyone's by now. */
export type PortalView = {
  readonly merchant: string
  readonly payments: ReadonlyArray<PortalPayment>
  readonly wallets: ReadonlyArray<WalletResource>
}

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
  readonly visitor: (secret: string) => Visitor | null
  readonly view: (visitor: Visitor) => TE.TaskEither<StoreUnavailable | CustomerNotFound, PortalView>
}

const visitWithinMs = 5 * 60 * 1000
export const portalSessionMs = 60 * 60 * 1000
const paymentsShown = 100

export const portal = (services: Services): Portal => {
  const { vault, clock, portalSessions, publicUrl, readModels } = services
  const living = livingCustomer(services)
  const hashOf = (token: string) => vault.keyedHash('portal', token)
  return {
    open: (context, customerId) =>
      pipe(
        customerToAnswerFrom(services)(context, customerId),
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
    visitor: (secret) => portalSessions.find(hashOf(secret), clock.now()),
    view: ({ customerId, ...scope }) =>
      pipe(
        living(scope, customerId),
        TE.bindTo('customer'),
        TE.bind('paid', () => TE.fromTask(payments(services).list({ ...scope, customerId, limit: paymentsShown }))),
        TE.map(({ customer, paid }) => ({
          merchant: readModels.merchants.withId(scope.merchantId)?.row.name ?? '',
          payments: paid.resources.map(({ amount, status, transaction_hash, confirmed_at, created_at }) => ({
            amount,
            status,
            transaction_hash,
            at: confirmed_at ?? created_at,
          })),
          wallets: customer.row.wallets.map(walletResource),
        })),
      ),
  }
}
