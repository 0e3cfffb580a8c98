import type { FailureCause, SubscriptionEvent, SubscriptionState } from '@quittance/domain'
import type { Origin } from '../../told.ts'
import { stream } from '../streams.ts'

/** Why a charge failed, or would fail. */
export const failures: Readonly<Record<FailureCause, string>> = {
  balance_too_low: "the customer's balance was too low",
  mandate_ended: 'the mandate has ended on the ledger',
  allowance_too_low: 'the approval of the customer allows less than the charge',
  allowance_expired: 'the approval of the customer has run out',
  above_cap: "the price exceeds the mandate's cap",
  no_trustline: 'the customer does not hold the asset any more',
  not_authorized: "the asset's issuer does not let the customer pay with it",
  account_gone: "the customer's account does not exist any more",
  transaction_dead: 'no ledger took the transaction in time',
  not_sent: 'the transaction could not be sent',
  fee_too_low: 'the network asked for a higher fee than we pay',
  contract_refused: 'the contract refused a charge that it should have made',
}

/** The asset that is charged. */
export const assetIn = (state: SubscriptionState) =>
  state.status === 'absent' ? null : (state.attempts.at(-1)?.assetId ?? state.details.assetId)

/** Earlier entries of the same subscription. */
export const own = (id: string, ...types: ReadonlyArray<SubscriptionEvent['type']>): Origin => ({
  stream: stream.subscription(id),
  types,
})
