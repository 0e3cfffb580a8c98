import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, livingCustomer } from '../customers/living.ts'
import { listed } from '../listing.ts'
import type { StoreUnavailable } from '../load.ts'
import { payments } from '../payments/payments.ts'
import type { PaymentResource } from '../resources/payment.ts'
import { type WalletResource, walletResource } from '../resources/wallet.ts'
import type { Services } from '../services.ts'
import { type PortalSubscription, portalSubscription } from './portal-subscription.ts'
import type { Visitor } from './sessions.ts'

/** A payment as its payer sees it. `amount` is such as `12.5 USDC`; `at`: when it was confirmed, or begun. */
type PortalPayment = Pick<PaymentResource, 'amount' | 'status' | 'amount_cents' | 'transaction_hash'> & {
  readonly currency_code: string | null
  readonly at: string
}

/** What customers see of themselves. Nothing that names a person: the browser may be anyone's by now. */
export type PortalView = {
  readonly merchant: string
  readonly subscriptions: ReadonlyArray<PortalSubscription>
  readonly payments: ReadonlyArray<PortalPayment>
  readonly wallets: ReadonlyArray<WalletResource>
}

const mostShown = 100

/** The newest of what a customer has, as far as they live. */
export const portalView =
  (services: Services) =>
  ({ customerId, ...scope }: Visitor): TE.TaskEither<StoreUnavailable | CustomerNotFound, PortalView> => {
    const { readModels } = services
    const page = { ...scope, customerId, limit: mostShown }
    return pipe(
      livingCustomer(services)(scope, customerId),
      TE.bindTo('customer'),
      TE.bind('paid', () => TE.fromTask(payments(services).list(page))),
      TE.bind('subscribed', () =>
        TE.fromTask(listed(services)(readModels.subscriptions, page, portalSubscription(services))),
      ),
      TE.map(({ customer, paid, subscribed }) => ({
        merchant: readModels.merchants.withId(scope.merchantId)?.row.name ?? '',
        subscriptions: subscribed.resources,
        payments: paid.resources.map(
          ({ amount, amount_cents, currency_code, status, transaction_hash, confirmed_at, created_at }) => ({
            amount,
            amount_cents,
            currency_code,
            status,
            transaction_hash,
            at: confirmed_at ?? created_at,
          }),
        ),
        wallets: customer.row.wallets.map(walletResource),
      })),
    )
  }
