import type { Text } from '../shared/text.ts'

export type ReservationRejection =
  | { readonly _tag: 'HeldBy'; readonly owner: Text; readonly generation: number }
  /** There is nobody to take the value over from: claim it. */
  | { readonly _tag: 'NotHeld' }
