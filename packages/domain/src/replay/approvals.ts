import type { OutflowApproval } from '../approval/index.ts'
import type { Behind } from './behind.ts'

export const behindApproval: Behind<typeof OutflowApproval> = (_, { type, data }) => {
  switch (type) {
    case 'ApprovalRequested':
      return [{ type: 'RequestApproval', ...data }]
    case 'ApprovalGranted':
      return [{ type: 'GrantApproval', ...data }]
    case 'ApprovalRejected':
      return [{ type: 'RejectApproval', ...data }]
    case 'ApprovalExpired':
      return [{ type: 'ExpireApproval', ...data }]
    case 'ApprovalWithdrawn':
      return [{ type: 'WithdrawApproval', ...data }]
  }
}
