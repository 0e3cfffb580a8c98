import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { ApprovalDetails } from './events.ts'

export type RequestApproval = { readonly type: 'RequestApproval' } & ApprovalDetails

/** `by` and `note`: who decides, by the first key of a rotated one, and what that person says. */
type ByPerson = { readonly by: Text; readonly note: Text | null; readonly at: UnixMs }
export type GrantApproval = { readonly type: 'GrantApproval' } & ByPerson
export type RejectApproval = { readonly type: 'RejectApproval' } & ByPerson

/** Possible once its time is over. */
export type ExpireApproval = { readonly type: 'ExpireApproval'; readonly at: UnixMs }

/** Before what waits is canceled, and after it has ended. */
export type WithdrawApproval = { readonly type: 'WithdrawApproval'; readonly at: UnixMs }

/** What may be asked of an approval. */
export type ApprovalCommand = RequestApproval | GrantApproval | RejectApproval | ExpireApproval | WithdrawApproval
