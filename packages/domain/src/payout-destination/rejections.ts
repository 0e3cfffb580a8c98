/** Why a command about a payout destination is refused, with the facts that explain it. */
export type PayoutDestinationRejection =
  | { readonly _tag: 'PayoutDestinationNotFound' }
  | { readonly _tag: 'PayoutDestinationAlreadyExists' }
