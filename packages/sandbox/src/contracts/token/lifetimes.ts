/** At five seconds each. */
export const dayInLedgers = 17_280

/** Using a token keeps its instance alive for a week. In ledgers. */
export const instanceExtendTo = 7 * dayInLedgers
export const instanceThreshold = instanceExtendTo - dayInLedgers
