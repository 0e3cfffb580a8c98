/** Why a command about an endpoint is refused, with the facts that explain it. */
export type WebhookRejection =
  | { readonly _tag: 'WebhookNotFound' }
  | { readonly _tag: 'WebhookAlreadyExists' }
  | { readonly _tag: 'TooManyEndpoints'; readonly most: number }
  /** Neither https nor, where that is allowed, a loopback address. */
  | { readonly _tag: 'WebhookUrlNotHttps' }
  /** A user or a password in the address would stand in the log. */
  | { readonly _tag: 'WebhookUrlHasCredentials' }
  | { readonly _tag: 'WebhookEventsEmpty' }
  | { readonly _tag: 'WebhookEventUnknown'; readonly event: string }
