import { PayoutDestination, PayoutDestinationId, PayoutDestinationRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A payout destination as its row holds it, with when it was made and last changed. */
export type PayoutDestinationRow = StateRow<PayoutDestinationRecord>

/** Found by the account of its address. */
export const payoutDestinations = stateModel({
  name: 'payout_destinations',
  version: 2,
  aggregate: PayoutDestination,
  record: PayoutDestinationRecord,
  ids: PayoutDestinationId,
  columns: ({ status, details }) => ({ status, lookupKey: details.address }),
})
