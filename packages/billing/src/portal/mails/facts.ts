const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day in the words of a sentence, by UTC. */
export const dayOf = (timestamp: string): string => day.format(Date.parse(timestamp))

/** A price as people write it. */
export const priceOf = (cents: number, currency: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)
    : `${cents / 100} ${currency}`

/** What a mail about a subscription can say of it. */
export type SubscriptionFacts = {
  readonly merchant: string
  readonly product: string
  readonly price: string
  readonly endsOn: string
  readonly triesAgainOn: string | null
  readonly accessUntil: string | null
  readonly invoiceUrl: string | null
  /** Where a new approval is signed; null unless one is asked for. */
  readonly signUrl: string | null
  readonly needsApproval: boolean
  readonly isEnding: boolean
}
