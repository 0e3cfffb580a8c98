import type { Announcement, OwnMovement, ReceivedFunding } from './events.ts'

export type AnnounceFunding = { readonly type: 'AnnounceFunding' } & Announcement

/** A closed ledger holds it. With the reason `announced` it belongs to the announcement of this stream. */
export type ReceiveFunding = { readonly type: 'ReceiveFunding' } & ReceivedFunding

export type BookOwnMovement = { readonly type: 'BookOwnMovement' } & OwnMovement

export type FundingCommand = AnnounceFunding | ReceiveFunding | BookOwnMovement
