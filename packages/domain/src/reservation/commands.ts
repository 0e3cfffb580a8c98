import type { Text } from '../shared/text.ts'

export type Claim = { readonly type: 'Claim'; readonly owner: Text }

/**
 * Passes the value on from a holder that, as the caller has made sure, no longer needs it; or holds it anew, from the
 * holder itself. `generation` is the one that the caller saw before making sure: it ends with every change since.
 */
export type TakeOver = { readonly type: 'TakeOver'; readonly owner: Text; readonly generation: number }

/** Frees the value, unless it was held anew since its holder saw this `generation`. */
export type Release = { readonly type: 'Release'; readonly owner: Text; readonly generation: number }

export type ReservationCommand = Claim | TakeOver | Release
