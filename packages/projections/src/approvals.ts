import { ApprovalId, ApprovalRecord, OutflowApproval } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** An approval as its row holds it, with when it was made and last changed. */
export type ApprovalRow = StateRow<ApprovalRecord>

/** Found by what waits for it. */
export const approvals = stateModel({
  name: 'approvals',
  version: 1,
  aggregate: OutflowApproval,
  record: ApprovalRecord,
  ids: ApprovalId,
  columns: ({ status, details }) => ({ status, lookupKey: details.subject }),
})
