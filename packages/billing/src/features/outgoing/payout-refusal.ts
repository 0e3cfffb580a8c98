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

/** Translates the network's code for the failure of a payment. */
export const payoutRefusal = (code: string): PayoutRefusal => refusals.get(code) ?? 'refused_by_ledger'
