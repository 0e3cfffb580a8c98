import {
  type InvoiceId,
  InvoiceSession,
  type Policy,
  type SubscriptionId,
  type SubscriptionRecord,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { noDeadline } from '../../kernel/session-kinds.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { payableReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'

/** An invoice for period `n`, at the current price of the subscription. */
export type NewInvoice = {
  readonly invoiceId: InvoiceId
  readonly subscriptionId: SubscriptionId
  readonly n: SubscriptionRecord['nextN']
}

/**
 * Opens the session in which an invoice is paid, before its subscription names it. Any wallet can pay it, to the account
 * that the mandate paid to. A repetition writes nothing.
 */
export const openInvoice = async (
  services: Pick<Services, 'store' | 'vault'>,
  scope: Scope,
  { details, terms, authorization, metadata }: SubscriptionRecord,
  { invoiceId, subscriptionId, n }: NewInvoice,
  { underpaymentTolerance }: Policy,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { checkoutId, customerId, assetId, startedAt: at } = details
  const { productId, priceVersion, price } = terms
  const decide = InvoiceSession.decider.decide({
    type: 'CreateCheckout',
    at,
    kind: 'product',
    ...{ productId, priceVersion, customerId, assetId, metadata, underpaymentTolerance },
    price: { _tag: 'fiat', ...price },
    destination: authorization.mandate.payee,
    redirectUrl: null,
    description: null,
    expiresAt: noDeadline,
    invoice: { subscriptionId, checkoutId, n },
    reference: payableReference(services, scope.environment, invoiceId),
  })
  const context = stepContextOf(scope, invoiceId, 'open', at)
  const opened = await step(services.store)(InvoiceSession, invoiceId, context, decide)
  return E.isLeft(opened) ? opened : E.right(undefined)
}
