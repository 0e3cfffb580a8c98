import type { UnixMs } from '@quittance/domain'
import type { Found, SubscriptionRow } from '@quittance/projections'
import { type SubscriptionResource, subscriptionResource } from '../../resources/subscription.ts'
import { dayOf, priceOf, type SubscriptionFacts } from './facts.ts'
import type { MailedType } from './kinds.ts'
import type { Letter } from './letter.ts'
import { approvalLetter } from './templates/approval-runs-out.ts'
import { canceledLetter } from './templates/canceled.ts'
import { paymentFailedLetter } from './templates/payment-failed.ts'
import { renewalLetter } from './templates/renewal-upcoming.ts'
import { trialEndsLetter } from './templates/trial-ends.ts'

type Known = { readonly merchant: string; readonly product: string; readonly publicUrl: string; readonly now: UnixMs }

/** The letter about an event of a subscription; null where what it would say is no longer so. */
export const subscriptionLetter = (
  type: Extract<MailedType, `subscription.${string}`>,
  found: Found<SubscriptionRow>,
  { merchant, product, publicUrl, now }: Known,
): Letter | null => {
  const shown = subscriptionResource(publicUrl, now)(found)
  const facts = factsOf(shown, merchant, product)
  const { status } = shown
  switch (type) {
    case 'subscription.trial_will_end':
      return status === 'trialing' && !facts.isEnding ? trialEndsLetter(facts) : null
    case 'subscription.renewal_upcoming':
      return status === 'active' && !facts.isEnding ? renewalLetter(facts) : null
    case 'subscription.past_due':
      return status === 'past_due' ? paymentFailedLetter(facts) : null
    case 'subscription.overdue':
      return status === 'overdue' ? paymentFailedLetter(facts) : null
    case 'subscription.authorization_expiring':
      return status === 'canceled' || facts.isEnding || shown.authorization.status !== 'expiring'
        ? null
        : approvalLetter(facts, dayOf(shown.authorization.expires_at))
    case 'subscription.canceled':
      return status === 'canceled' ? canceledLetter(facts) : null
  }
}

const factsOf = (shown: SubscriptionResource, merchant: string, product: string): SubscriptionFacts => ({
  merchant,
  product,
  price: priceOf(shown.price_amount_cents, shown.currency_code),
  endsOn: dayOf(shown.current_period_end),
  triesAgainOn: shown.next_renewal_at === null ? null : dayOf(shown.next_renewal_at),
  accessUntil: shown.grace_until === null ? null : dayOf(shown.grace_until),
  invoiceUrl: shown.invoice_url,
  signUrl: shown.authorization.update_url,
  needsApproval: shown.authorization.status !== 'active' && shown.authorization.update_url !== null,
  isEnding: shown.cancel_at_period_end,
})
