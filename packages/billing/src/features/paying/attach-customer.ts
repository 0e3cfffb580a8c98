import { Checkout, type CheckoutRejection } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Claim } from '../../kernel/claims.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { correlationNow } from '../../kernel/tracing/trace-ids.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import type { CustomerFailure } from '../customers/create.ts'
import type { Customers } from '../customers/customers.ts'
import type { CustomerNotFound } from '../customers/living.ts'
import { emailHash } from '../customers/look-up.ts'
import type { CheckoutNotOpen } from './pay.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

export type PayerDetails = { readonly email: string; readonly name: string | null; readonly phone: string | null }

type AttachServices = Pick<Services, 'store' | 'clock' | 'freshId' | 'claims' | 'vault'>

export type AttachFailure =
  /** Another request names the customer of this checkout. */
  | { readonly _tag: 'AttachingUnderWay' }
  | CheckoutNotOpen
  | ExecuteFailure
  | CheckoutNotFound
  | CheckoutRejection
  | CustomerFailure
  | CustomerNotFound

const underWay: E.Either<AttachFailure, never> = E.left({ _tag: 'AttachingUnderWay' })

/**
 * Attaches a customer to a checkout that has none, before any payment arrived. The result reveals nothing about the
 * customer. One request at a time: its claim is written with its first event, so of several at once only one creates a
 * customer. After a crash the claim stands, and the next request with the same email is the same command.
 */
export const attachCustomer = async (
  services: AttachServices,
  customers: Customers,
  id: string,
  details: PayerDetails,
): Promise<E.Either<AttachFailure, { readonly checkout_id: string }>> => {
  const session = await publicSession(services, id)
  if (E.isLeft(session)) return session
  const { merchantId, environment } = session.right.found
  // No header can hold a line break, so no merchant's key is the same.
  const claim = await services.claims.open({ merchantId, environment, key: `attach\n${id}`, requestHash: id })
  if (E.isLeft(claim)) return underWay
  try {
    const attached = await attachUnder(services, customers, claim.right, id, details)
    if (E.isLeft(attached)) return attached.left._tag === 'ClaimLost' ? underWay : attached
    const bound = await claim.right.bind()
    return E.isLeft(bound) ? bound : E.right({ checkout_id: id })
  } finally {
    await claim.right.release()
  }
}

const attachUnder = async (
  services: AttachServices,
  customers: Customers,
  { commandId: claimed, at, alongside }: Claim,
  id: string,
  { email, name, phone }: PayerDetails,
): Promise<E.Either<AttachFailure, unknown>> => {
  const session = await publicSession(services, id)
  if (E.isLeft(session)) return session
  const attachable = ensureAttachable(session.right.state)
  if (E.isLeft(attachable)) return attachable
  const { found } = session.right
  const commandId = derivedCommandId(claimed, await emailHash(services.vault, found, email))
  const correlationId = correlationNow(commandId)
  const context = { ...payerContext(services, found), commandId, correlationId, at, alongside }
  const customerId = await customers.resolve(context, { id: null, email, phone, name })()
  if (E.isLeft(customerId)) return customerId
  if (customerId.right === null) throw new Error('an email always resolves to a customer')
  const decide = Checkout.decider.decide({ type: 'AttachCustomer', customerId: customerId.right })
  return execute(services.store)(Checkout, id, context, decide)
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
