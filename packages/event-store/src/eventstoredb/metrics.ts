/** Figures of one subscription. */
export type SubscriptionFigures = {
  /** Null for the whole log. */
  readonly streamPrefixes: ReadonlyArray<string> | null
  /** False from a drop until the server confirms the next connection. */
  isConnected: boolean
  /** Milliseconds from recording to delivery of the last event; null before the first. */
  lagMs: number | null
}

/** Counters of a store since it was opened; `subscriptions` lists the present ones. */
export type EventStoreDbMetrics = {
  /** Appends whose events are in the store. */
  appends: number
  /** Appends answered with `OutcomeUnknown`, counted once each. */
  unknownOutcomes: number
  /** … whose repeat was then found or written. */
  unknownResolvedAsWritten: number
  /** … whose repeat was refused. */
  unknownResolvedAsRefused: number
  /** Attempts on a new connection, because the last one was lost or not the leader's. */
  reconnects: number
  /** Subscription connections that ended unasked, or never came about. */
  subscriptionDrops: number
  /** The open subscriptions. */
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
