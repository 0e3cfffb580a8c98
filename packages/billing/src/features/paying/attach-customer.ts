import { Checkout, type CheckoutRejection } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
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

/**
 * Attaches a customer to a checkout that has none, before any payment arrived. The result reveals nothing about the
 * customer.
 */
export const attachCustomer = async (
  services: Pick<Services, 'store' | 'clock' | 'freshId'>,
  customers: Customers,
  id: string,
  { email, name, phone }: PayerDetails,
): Promise<E.Either<AttachFailure, { readonly checkout_id: string }>> => {
  const session = await publicSession(services, id)
  if (E.isLeft(session)) return session
  const attachable = ensureAttachable(session.right.state)
  if (E.isLeft(attachable)) return attachable
  const context = payerContext(services, session.right.found)
  const customerId = await customers.resolve(context, { id: null, email, phone, name })()
  if (E.isLeft(customerId)) return customerId
  if (customerId.right === null) throw new Error('an email always resolves to a customer')
  const decide = Checkout.decider.decide({ type: 'AttachCustomer', customerId: customerId.right })
  const attached = await execute(services.store)(Checkout, id, context, decide)
  return E.isLeft(attached) ? attached : E.right({ checkout_id: id })
}

/** Checked before a customer is created: a session that cannot take a customer leaves none behind. */
const ensureAttachable = ({
  status,
  customerId,
  paymentId,
}: PublicSession['state']): E.Either<CheckoutRejection | CheckoutNotOpen, void> => {
  if (customerId !== null) return E.left({ _tag: 'CustomerAlreadyAttached', customerId })
  if (paymentId !== null) return E.left({ _tag: 'PaymentAlreadyBegun', paymentId })
  return status === 'open' ? E.right(undefined) : E.left({ _tag: 'CheckoutNotOpen', status })
}
