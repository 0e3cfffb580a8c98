import type { Text } from '../shared/text.ts'

export type ReservationRejection =
  | { readonly _tag: 'HeldBy'; readonly owner: Text; readonly generation: number }
  /** No owner holds the value that could be taken over: claim it. */
  | { readonly _tag: 'NotHeld' }
