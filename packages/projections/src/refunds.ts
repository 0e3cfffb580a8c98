import { Refund, RefundId, RefundRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A refund as its row holds it, with when it was made and last changed. */
export type RefundRow = StateRow<RefundRecord>

/** Listed by payment. One that waits is due when it is sent. */
export const refunds = stateModel({
  name: 'refunds',
  version: 3,
  aggregate: Refund,
  record: RefundRecord,
  ids: RefundId,
  columns: (row) => ({
    status: row.status,
    listedUnder: row.details.paymentId,
    dueAt: row.status === 'pending' ? row.sendsAt : null,
  }),
})
