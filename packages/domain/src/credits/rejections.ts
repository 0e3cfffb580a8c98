import type { Text } from '../shared/text.ts'
import type { CreditBalance } from './events.ts'
import type { Units } from './units.ts'

/** Why a command about a customer's credits is refused, with the facts that explain it. */
export type CreditsRejection =
  /** The period has ended: the next one begins with this balance. */
  | { readonly _tag: 'BooksAreClosed'; readonly balance: CreditBalance }
  /** The customer was merged: entries are made in the books of this account. */
  | { readonly _tag: 'BooksAreHandedOver'; readonly to: Text }
  | { readonly _tag: 'InsufficientCredits'; readonly wanted: Units; readonly left: Units }
  /** The payment has granted nothing, or nothing of it was left when the period began. */
  | { readonly _tag: 'GrantNotFound' }
  /** A grant is taken back whole or not at all: so much of it is left. */
  | { readonly _tag: 'CreditsAreSpent'; readonly left: Units }
