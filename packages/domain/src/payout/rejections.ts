import type { PayoutState } from './state.ts'

export type PayoutRejection =
  | { readonly _tag: 'PayoutNotFound' }
  | { readonly _tag: 'PayoutAlreadyExists' }
  /** It has ended, once and for ever. */
  | { readonly _tag: 'PayoutHasEnded'; readonly status: Exclude<PayoutState['status'], 'absent' | 'pending'> }
