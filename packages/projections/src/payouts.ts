import { Payout, PayoutId, PayoutRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A payout as its row holds it, with when it was made and last changed. */
export type PayoutRow = StateRow<PayoutRecord>

/** Listed by asset. */
export const payouts = stateModel({
  name: 'payouts',
  version: 2,
  aggregate: Payout,
  record: PayoutRecord,
  ids: PayoutId,
  columns: ({ status, details }) => ({ status, listedUnder: details.assetId }),
})
