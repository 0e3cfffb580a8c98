import { amountDue, assetCode, currentQuote, decimalFromStroops, settlementOf, shownStatus } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import { priceCurrency } from '../../resources/price-currency.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { type MandateFacts, offeredFacts, trialEnd } from './mandate-facts.ts'
import { type PublicSession, publicSession } from './session.ts'

/** The status of a session, for the page that waits for the payment. It contains nothing personal. */
export const statusView = async (
  services: Pick<Services, 'store' | 'clock'>,
  id: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, StatusView>> => {
  const session = await publicSession(services, id)
  return E.isLeft(session) ? session : E.right(render(services, session.right))
}

const render = ({ clock }: Pick<Services, 'clock'>, { id, state, found }: PublicSession) => {
  const quote = state.status === 'open' ? currentQuote(state, clock.now(found.environment)) : null
  const [checkoutId, failureReason]: [string, string | null] = [id, state.status === 'failed' ? state.reason : null]
  const { details, enrolment } = state
  const settlement = settlementOf(state)
  const completing = settlement ?? enrolment ?? state.transactions.at(-1)
  return {
    checkout_id: checkoutId,
    status: shownStatus(state),
    amount_received: decimalFromStroops(state.received),
    amount_due: quote === null ? null : decimalFromStroops(amountDue(state, quote)),
    asset_id: details.assetId,
    asset_code: assetCode(details.assetId),
    currency_code: priceCurrency(details),
    payment_id: state.paymentId,
    subscription_id:
      details.invoice?.subscriptionId ?? (state.status === 'completed' ? (enrolment?.subscriptionId ?? null) : null),
    transaction_hash: completing?.transactionHash ?? null,
    failure_reason: failureReason,
    late: settlement?.late ?? false,
    redirect_url: details.redirectUrl,
    expires_at: timestamp(details.expiresAt),
    valid_until: quote === null ? null : timestamp(quote.validUntil),
    mandate: mandateOf(state),
  }
}
/** The accepted mandate; null before it is accepted. */
const mandateOf = ({ enrolment, offers }: PublicSession['state']): MandateFacts | null => {
  const offer = offers.find(({ transactionHash }) => transactionHash === enrolment?.offered)
  if (enrolment === null || offer === undefined) return null
  return offeredFacts(offer, trialEnd(enrolment))
}

export type StatusView = ReturnType<typeof render>
