import type { Text } from '../shared/text.ts'

/** Why a command about a reservation is refused, with the facts that explain it. */
export type ReservationRejection =
  | { readonly _tag: 'HeldBy'; readonly owner: Text; readonly generation: number }
  /** No owner holds the value that could be taken over: claim it. */
  | { readonly _tag: 'NotHeld' }
