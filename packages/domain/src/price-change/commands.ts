import type { Count, UnixMs } from '../shared/units.ts'
import type { PriceChangeDetails } from './events.ts'

export type SchedulePriceChange = { readonly type: 'SchedulePriceChange'; readonly details: PriceChangeDetails }
/** Every subscription that it concerns has recorded its notice. */
export type RecordNotices = { readonly type: 'RecordNotices'; readonly subscriptions: Count; readonly at: UnixMs }
/** Whoever waits for it keeps the old price; whoever pays the new one goes on with it. */
export type CancelPriceChange = {
  readonly type: 'CancelPriceChange'
  readonly at: UnixMs
  /** Not by the merchant: the network was reset. */
  readonly why?: 'network_reset'
}
/** No subscription waits for a canceled change any more. */
export type RecordWithdrawal = { readonly type: 'RecordWithdrawal'; readonly at: UnixMs }

/** What may be asked of a price change. */
export type PriceChangeCommand = SchedulePriceChange | RecordNotices | CancelPriceChange | RecordWithdrawal
