import { ApprovalId, ApprovalRecord, OutflowApproval } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

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
