import type { Text } from '../shared/text.ts'

export type Claim = { readonly type: 'Claim'; readonly owner: Text }

/** Passes the value on from a holder that, as the caller has made sure, no longer needs it. */
export type TakeOver = { readonly type: 'TakeOver'; readonly owner: Text; readonly from: Text }

export type Release = { readonly type: 'Release'; readonly owner: Text }

export type ReservationCommand = Claim | TakeOver | Release
