import {
  feeAt,
  type InvoiceId,
  InvoiceSession,
  type PlatformFeeDecision,
  type Policy,
  type SubscriptionId,
  type SubscriptionRecord,
  type UnixMs,
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

/** A subscription, and what its merchant and the operator have decided. */
type Invoiced = {
  readonly scope: Scope
  readonly state: SubscriptionRecord
  readonly policy: Policy
  readonly platformFees: ReadonlyArray<PlatformFeeDecision>
}

/**
 * Opens the session in which an invoice is paid, before its subscription names it. Any wallet can pay it, to the account
 * that the mandate paid to. It bears the operator's fee of moment `at`. A repetition writes nothing.
 */
export const openInvoice = async (
  services: Pick<Services, 'store' | 'vault'>,
  { scope, state, policy, platformFees }: Invoiced,
  { invoiceId, subscriptionId, n }: NewInvoice,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { details, terms, authorization, metadata } = state
  const { checkoutId, customerId, assetId, startedAt } = details
  const { underpaymentTolerance } = policy
  const platformFee = feeAt(platformFees, at)
  const { productId, priceVersion, price } = terms
  const decide = InvoiceSession.decider.decide({
    type: 'CreateCheckout',
    at: startedAt,
    kind: 'product',
    ...{ productId, priceVersion, customerId, assetId, metadata, underpaymentTolerance },
    price: { _tag: 'fiat', ...price },
    destination: authorization.mandate.payee,
    redirectUrl: null,
    description: null,
    expiresAt: noDeadline,
    invoice: { subscriptionId, checkoutId, n },
    reference: await payableReference(services, scope.environment, invoiceId),
    ...(platformFee === null ? {} : { platformFee }),
  })
  const context = stepContextOf(scope, invoiceId, 'open', startedAt)
  const opened = await step(services.store)(InvoiceSession, invoiceId, context, decide)
  return E.isLeft(opened) ? opened : E.right(undefined)
}
