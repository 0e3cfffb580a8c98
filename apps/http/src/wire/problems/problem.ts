import type { BillingFailure } from '@quittance/billing'
import type { Family } from '@quittance/billing/scopes'
import type { ErrorCode, errorStatuses } from '@quittance/client/wire'

export type Tag = BillingFailure['_tag']
export type Of<T extends Tag> = Extract<BillingFailure, { readonly _tag: T }>
/** A status, a code that has only this status, and a message. */
export type Problem = {
  readonly [Code in ErrorCode]: readonly [
    (typeof errorStatuses)[Code],
    Code,
    message: string,
    param?: string | undefined,
    /** Whose facts the message tells: callers who may not read them get the code alone. */
    tells?: Family,
  ]
}[ErrorCode]
/** The problem for each failure. */
export type Problems = { readonly [T in Tag]: (failure: Of<T>, fields: Fields) => Problem }

/** The request fields of the subjects of failures. Subjects elsewhere, such as in the path, have no `param`. */
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
    | 'trial'
    | 'key']?: string
}

export const gone = (what: string, param?: string): Problem => [404, 'not_found', `No such ${what}`, param]

export const busy: Problem = [409, 'conflict', 'Somebody else is changing this: try again']
export const defect: Problem = [500, 'internal_error', 'Something went wrong on our side']
/** A full disk, a locked file, a log on a server that does not answer. */
export const storeDown = [503, 'store_unavailable', 'The store cannot answer: try again later'] as const
export const notRelayed = (message: string): Problem => [400, 'transaction_refused', message]
