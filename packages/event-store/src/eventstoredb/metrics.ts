/** What a store has met since it was opened. Numbers only grow, but for the lag. */
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
  /** Ends of subscriptions that nobody here asked for; each was resumed. */
  subscriptionDrops: number
  /** How long before its delivery to a subscription the last event was recorded, in milliseconds. */
  subscriptionLagMs: number
}

export const newMetrics = (): EventStoreDbMetrics => ({
  appends: 0,
  unknownOutcomes: 0,
  unknownResolvedAsWritten: 0,
  unknownResolvedAsRefused: 0,
  reconnects: 0,
  subscriptionDrops: 0,
  subscriptionLagMs: 0,
})
