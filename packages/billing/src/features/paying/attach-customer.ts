import { Checkout, type CheckoutRejection } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import type { CustomerFailure } from '../customers/create.ts'
import type { Customers } from '../customers/customers.ts'
import type { CustomerNotFound } from '../customers/living.ts'
import type { CheckoutNotOpen } from './pay.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

export type PayerDetails = { readonly email: string; readonly name: string | null; readonly phone: string | null }

export type AttachFailure =
  | CheckoutNotOpen
  | ExecuteFailure
  | CheckoutNotFound
  | CheckoutRejection
  | CustomerFailure
  | CustomerNotFound

/** Puts a customer to a checkout that has none, before anything was received. Answers nothing about the customer. */
export const attachCustomer =
  (services: Services, customers: Customers) =>
  (id: string, { email, name, phone }: PayerDetails): TE.TaskEither<AttachFailure, { readonly checkout_id: string }> =>
    pipe(
      publicSession(services)(id),
      TE.bindTo('session'),
      TE.let('context', ({ session }) => payerContext(services, session.found)),
      TE.chainFirstEitherKW(({ session: { state } }) => attachable(state)),
      TE.bindW('customerId', ({ context }) => customers.resolve(context, { id: null, email, phone, name })),
      TE.chainW(({ context, customerId }) => {
        if (customerId === null) throw new Error('an email always resolves to a customer')
        return executeLater(services.store)(
          Checkout,
          id,
          context,
          Checkout.decider.decide({ type: 'AttachCustomer', customerId }),
        )
      }),
      TE.map(() => ({ checkout_id: id })),
    )

/** Judged before anyone is looked up or made: a session that cannot take a customer leaves no trace of one. */
const attachable = ({
  status,
  customerId,
  paymentId,
}: PublicSession['state']): E.Either<CheckoutRejection | CheckoutNotOpen, void> => {
  if (customerId !== null) return E.left({ _tag: 'CustomerAlreadyAttached', customerId })
  if (paymentId !== null) return E.left({ _tag: 'PaymentAlreadyBegun', paymentId })
  return status === 'open' ? E.right(undefined) : E.left({ _tag: 'CheckoutNotOpen', status })
}
