/** At five seconds a ledger. */
export const dayInLedgers = 17_280

/** Every use keeps a token's instance alive for a week. In ledgers. */
export const instanceExtendTo = 7 * dayInLedgers
export const instanceThreshold = instanceExtendTo - dayInLedgers
