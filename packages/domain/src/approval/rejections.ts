import type { ApprovalState } from './state.ts'

export type ApprovalRejection =
  | { readonly _tag: 'ApprovalNotFound' }
  /** Somebody else has to approve. */
  | { readonly _tag: 'ApprovalByRequester' }
  | { readonly _tag: 'ApprovalHasEnded'; readonly status: Exclude<ApprovalState['status'], 'absent' | 'waiting'> }
  | { readonly _tag: 'ApprovalNotExpired' }
