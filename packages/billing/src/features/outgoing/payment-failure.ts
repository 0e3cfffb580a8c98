import { asText, type IntentEnd, type Text, type UnixMs } from '@quittance/domain'

/** Why a ledger refused a payment of ours. */
type PayoutRefusal =
  | 'destination_not_found'
  | 'destination_no_trustline'
  | 'destination_not_authorized'
  | 'destination_full'
  | 'insufficient_funds'
  | 'refused_by_ledger'

const refusals: ReadonlyMap<string, PayoutRefusal> = new Map([
  ['paymentNoDestination', 'destination_not_found'],
  ['paymentNoTrust', 'destination_no_trustline'],
  ['paymentNotAuthorized', 'destination_not_authorized'],
  ['paymentLineFull', 'destination_full'],
  ['paymentUnderfunded', 'insufficient_funds'],
  ['paymentSrcNoTrust', 'insufficient_funds'],
])

/** Why an intent to pay has paid nothing. `at` is the time of an end that is in no ledger. */
export const paymentFailure = (
  end: Exclude<IntentEnd, { readonly _tag: 'settled' }>,
  at: UnixMs,
): { readonly reason: PayoutRefusal | 'not_sent' | 'network_reset'; readonly code: Text; readonly at: UnixMs } => {
  if (end._tag === 'refused')
    return { reason: refusals.get(end.code) ?? 'refused_by_ledger', code: end.code, at: end.closedAt }
  const reason = end.reason === 'insufficient_funds' || end.reason === 'network_reset' ? end.reason : 'not_sent'
  return { reason, code: asText(end.reason), at }
}
