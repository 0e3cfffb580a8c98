import {
  type PriceChangeId,
  type Stroops,
  type SubscriptionCommand,
  type SubscriptionRecord,
  stroops,
  type UnixMs,
} from '@quittance/domain'
import type { Circumstances } from './acts.ts'
import type { LaterEvent } from './find-event.ts'

type Mandate = SubscriptionRecord['authorization']['mandate']
type Canceled = Extract<LaterEvent, { readonly type: 'SubscriptionCanceled' }>['data']

/** An amount that every mandate allows. */
export const withinCap: Stroops = stroops(0n)
/** An amount that a mandate does not allow. */
export const aboveCap = ({ cap }: Mandate): Stroops => stroops(cap + 1n)

/**
 * A cancellation at its boundary, or as it is asked for. Where nothing paid was left, `period_end` and `now` say the same;
 * `period_end` is assumed, which takes less from the customer.
 */
export const cancellations = (
  { reason, canceledAt }: Canceled,
  { at, policy }: Circumstances,
): ReadonlyArray<SubscriptionCommand> => {
  switch (reason) {
    case 'unpaid':
      return [{ type: 'CancelUnpaid', at: canceledAt, policy }]
    case 'requested':
    case 'revoked':
      return [
        { type: 'EndAtBoundary', at },
        { type: 'Cancel', when: 'period_end', at: canceledAt },
        { type: 'Cancel', when: 'now', at: canceledAt },
      ]
    case 'customer_deleted':
      return [{ type: 'CancelForDeletedCustomer', at: canceledAt }]
    case 'network_reset':
      return [{ type: 'EndWithNetwork', at: canceledAt }]
    // It follows on a refusal, which is what the act is about.
    case 'price_change':
      return []
  }
}

/** A new price that counts, or does not, from a charge on: by its amount then, which stands nowhere. */
export const applications = (
  priceChangeId: PriceChangeId,
  at: UnixMs,
  mandate: Mandate,
): ReadonlyArray<SubscriptionCommand> =>
  [null, withinCap, aboveCap(mandate)].map((quote) => ({ type: 'ApplyPriceChange', priceChangeId, quote, at }))
