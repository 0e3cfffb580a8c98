import type { BillingFailure } from '@quittance/billing'
import type { ErrorCode, errorStatuses } from '@quittance/client/wire'

export type Tag = BillingFailure['_tag']
export type Of<T extends Tag> = Extract<BillingFailure, { readonly _tag: T }>
/** A code with the one status that it has. */
export type Problem = {
  readonly [Code in ErrorCode]: readonly [
    (typeof errorStatuses)[Code],
    Code,
    message: string,
    param?: string | undefined,
  ]
}[ErrorCode]
/** What each failure is on the wire. */
export type Problems = { readonly [T in Tag]: (failure: Of<T>, fields: Fields) => Problem }

/** How a request spells what a failure may be about. What it names otherwise, such as in its path, has no `param`. */
export type Fields = {
  readonly [Subject in
    | 'amount'
    | 'amountCents'
    | 'asset'
    | 'product'
    | 'customer'
    | 'checkout'
    | 'payment'
    | 'destination'
    | 'trial']?: string
}

export const gone = (what: string, param?: string): Problem => [404, 'not_found', `No such ${what}`, param]

export const busy: Problem = [409, 'conflict', 'Somebody else is changing this: try again']
export const defect: Problem = [500, 'internal_error', 'Something went wrong on our side']
export const notRelayed = (message: string): Problem => [400, 'transaction_refused', message]
