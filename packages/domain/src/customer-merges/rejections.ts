import type { CustomerId } from '../shared/ids.ts'

/** Why a command about merges of customers is refused, with the facts that explain it. */
export type CustomerMergesRejection =
  | { readonly _tag: 'SameCustomer' }
  /** Another customer has taken this one's place. */
  | { readonly _tag: 'CustomerIsMerged'; readonly customerId: CustomerId; readonly into: CustomerId }
