import type { CustomerId } from '../shared/ids.ts'

export type CustomerMergesRejection =
  | { readonly _tag: 'SameCustomer' }
  /** Another customer has taken this one's place. */
  | { readonly _tag: 'CustomerIsMerged'; readonly customerId: CustomerId; readonly into: CustomerId }
