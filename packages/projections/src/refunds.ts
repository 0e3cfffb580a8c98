import { Refund, RefundId, RefundRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

export type RefundRow = StateRow<RefundRecord>

/** Listed by payment. */
export const refunds = stateModel({
  name: 'refunds',
  version: 2,
  aggregate: Refund,
  record: RefundRecord,
  ids: RefundId,
  columns: ({ status, details }) => ({ status, listedUnder: details.paymentId }),
})
