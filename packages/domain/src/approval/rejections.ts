import type { ApprovalState } from './state.ts'

/** Why a command about an approval is refused, with the facts that explain it. */
export type ApprovalRejection =
  | { readonly _tag: 'ApprovalNotFound' }
  /** Somebody else has to approve. */
  | { readonly _tag: 'ApprovalByRequester' }
  | { readonly _tag: 'ApprovalHasEnded'; readonly status: Exclude<ApprovalState['status'], 'absent' | 'waiting'> }
  | { readonly _tag: 'ApprovalNotExpired' }
