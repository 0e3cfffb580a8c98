import { amountDue, assetCode, currentQuote, decimalFromStroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { type MandateFacts, offeredFacts, trialEnd } from './mandate-facts.ts'
import { type PublicSession, publicSession } from './session.ts'

/** The status of a session, for the page that waits for the payment. Nothing in it is personal. */
export const statusView = async (
  services: Services,
  id: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, StatusView>> => {
  const session = await publicSession(services, id)
  return E.isLeft(session) ? session : E.right(render(services, session.right))
}

const render = ({ clock }: Services, { id, found: { row }, state }: PublicSession) => {
  const quote = state.status === 'open' ? currentQuote(state, clock.now()) : null
  const [checkoutId, failureReason]: [string, string | null] = [id, row.failureReason]
  return {
    checkout_id: checkoutId,
    status: row.status,
    amount_received: decimalFromStroops(state.received),
    amount_due: quote === null ? null : decimalFromStroops(amountDue(state, quote)),
    currency_code: assetCode(state.details.assetId),
    payment_id: row.paymentId,
    subscription_id: state.details.invoice?.subscriptionId ?? (row.status === 'completed' ? row.subscriptionId : null),
    transaction_hash: row.completingHash ?? row.submitted,
    failure_reason: failureReason,
    late: row.late,
    redirect_url: row.details.redirectUrl,
    expires_at: timestamp(row.details.expiresAt),
    valid_until: quote === null ? null : timestamp(quote.validUntil),
    mandate: mandateOf(state),
  }
}
/** The mandate that counts; null before. */
const mandateOf = ({ enrolment, offers }: PublicSession['state']): MandateFacts | null => {
  const offer = offers.find(({ transactionHash }) => transactionHash === enrolment?.offered)
  if (enrolment === null || offer === undefined) return null
  return offeredFacts(offer, trialEnd(enrolment))
}

export type StatusView = ReturnType<typeof render>
