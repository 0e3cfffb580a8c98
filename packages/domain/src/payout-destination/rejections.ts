export type PayoutDestinationRejection =
  | { readonly _tag: 'PayoutDestinationNotFound' }
  | { readonly _tag: 'PayoutDestinationAlreadyExists' }
