import type { Family } from '../../../resources/scopes.ts'
import type { Teller } from '../told.ts'
import { checkoutTeller, invoiceTeller } from './checkout.ts'
import { customerMergesTeller, customerTeller } from './customer.ts'
import { exceptionTeller } from './exception.ts'
import { intentTeller } from './intent.ts'
import { approvalTeller, freezesTeller, limitsTeller, merchantTeller } from './merchant.ts'
import { creditsTeller, fundingTeller, webhookTeller } from './others.ts'
import { paymentTeller } from './payment.ts'
import { payoutBookTeller, payoutDestinationTeller, payoutTeller } from './payout.ts'
import { priceChangeTeller, productTeller } from './product.ts'
import { refundTeller } from './refund.ts'
import { subscriptionTeller } from './subscription/index.ts'

/**
 * What tells the events of a category. `family`: who may read the resource may read what is told of it; null: whoever may
 * read the resource that wanted it.
 */
export type Voice = { readonly teller: Teller; readonly family: Family | null; readonly resource: string }

const voices: ReadonlyArray<Voice> = [
  { teller: approvalTeller, family: 'approvals', resource: 'approval' },
  { teller: checkoutTeller, family: 'checkouts', resource: 'checkout' },
  { teller: creditsTeller, family: 'customers', resource: 'credits' },
  { teller: customerTeller, family: 'customers', resource: 'customer' },
  { teller: customerMergesTeller, family: 'customers', resource: 'customer' },
  { teller: exceptionTeller, family: 'exceptions', resource: 'exception' },
  { teller: freezesTeller, family: 'merchant', resource: 'merchant' },
  { teller: fundingTeller, family: 'settlement', resource: 'funding' },
  { teller: intentTeller, family: null, resource: 'ledger_movement' },
  { teller: invoiceTeller, family: 'subscriptions', resource: 'invoice' },
  { teller: limitsTeller, family: 'approvals', resource: 'limits' },
  { teller: merchantTeller, family: 'merchant', resource: 'merchant' },
  { teller: paymentTeller, family: 'payments', resource: 'payment' },
  { teller: payoutTeller, family: 'payouts', resource: 'payout' },
  { teller: payoutBookTeller, family: 'payouts', resource: 'payout' },
  { teller: payoutDestinationTeller, family: 'payouts', resource: 'payout_destination' },
  { teller: priceChangeTeller, family: 'products', resource: 'price_change' },
  { teller: productTeller, family: 'products', resource: 'product' },
  { teller: refundTeller, family: 'refunds', resource: 'refund' },
  { teller: subscriptionTeller, family: 'subscriptions', resource: 'subscription' },
  { teller: webhookTeller, family: 'webhooks', resource: 'webhook' },
]

const byCategory: ReadonlyMap<string, Voice> = new Map(voices.map((voice) => [voice.teller.category, voice]))

/** Who tells the events of a stream; throws for a stream that no history holds. */
export const voiceOf = (stream: string): Voice => {
  const voice = byCategory.get(stream.slice(0, stream.indexOf('-')))
  if (voice === undefined) throw new Error(`no history holds ${stream}`)
  return voice
}
