/** How one subscription is doing. */
export type SubscriptionFigures = {
  /** Null for the whole log. */
  readonly streamPrefixes: ReadonlyArray<string> | null
  /** False from a drop until the server has confirmed the next connection. */
  isConnected: boolean
  /** How long before its delivery the last event was recorded, in milliseconds; null before the first. */
  lagMs: number | null
}

/** What a store has met since it was opened. Numbers only grow; of the open subscriptions, they are the present ones. */
export type EventStoreDbMetrics = {
  /** Appends that ended with their events in the store. */
  appends: number
  /** Appends that were answered `OutcomeUnknown`, however often; less those resolved, they are unknown still. */
  unknownOutcomes: number
  /** … of which the same append, sent again, was then found or written. */
  unknownResolvedAsWritten: number
  /** … of which the same append, sent again, was refused. */
  unknownResolvedAsRefused: number
  /** Attempts that went to a new connection, since the last one was gone or was not the leader's. */
  reconnects: number
  /** Connections of subscriptions that ended though nobody here asked for it, or that never came about. */
  subscriptionDrops: number
  /** The subscriptions that are open now, each with its own figures. */
  readonly subscriptions: Set<SubscriptionFigures>
}

export const newMetrics = (): EventStoreDbMetrics => ({
  appends: 0,
  unknownOutcomes: 0,
  unknownResolvedAsWritten: 0,
  unknownResolvedAsRefused: 0,
  reconnects: 0,
  subscriptionDrops: 0,
  subscriptions: new Set(),
})
