import type { ReceivedFunding } from './events.ts'

/** Why a command about a funding is refused, with the facts that explain it. */
export type FundingRejection =
  /** It names neither a sender nor an asset with an exact amount: the payment of any stranger would fit. */
  | { readonly _tag: 'AnnouncementTooVague' }
  /** The id names another announcement already. */
  | { readonly _tag: 'FundingAlreadyAnnounced' }
  | { readonly _tag: 'FundingNotAnnounced' }
  /** Another payment has come for it. */
  | { readonly _tag: 'FundingAlreadyReceived'; readonly received: ReceivedFunding }
  /** The id names a movement by the merchant's own hand, or something else than that. */
  | { readonly _tag: 'FundingIsMovement' }
  | { readonly _tag: 'FundingIsNoMovement' }
  /** It is not what was announced, or came after the announcement had expired. */
  | { readonly _tag: 'FundingUnlikeAnnouncement' }
