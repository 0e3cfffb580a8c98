import * as t from 'io-ts'
import { RecurringPeriod } from '../product/index.ts'
import { AssetId } from '../shared/asset.ts'
import { fact, facts } from '../shared/fact.ts'
import { ProductId } from '../shared/ids.ts'
import { partial, strict } from '../shared/strict.ts'
import { Count, UnixMs } from '../shared/units.ts'
import { FiatPrice } from '../subscription/terms.ts'

/**
 * What becomes of a subscription whose customer has not signed the mandate that the new price needs: it keeps the old price,
 * or ends with the period that is paid for.
 */
export const WithoutConsent = t.keyof({ keep: null, cancel: null }, 'WithoutConsent')
export type WithoutConsent = t.TypeOf<typeof WithoutConsent>

/**
 * Another price, currency or asset for whoever had subscribed to a product, with periods of one length, when it was
 * scheduled. It counts for periods that begin at `effectiveAt` or later.
 */
export const PriceChangeDetails = strict(
  {
    productId: ProductId,
    interval: RecurringPeriod,
    price: FiatPrice,
    assetId: AssetId,
    effectiveAt: UnixMs,
    withoutConsent: WithoutConsent,
    scheduledAt: UnixMs,
  },
  'PriceChangeDetails',
)
export type PriceChangeDetails = t.TypeOf<typeof PriceChangeDetails>

export const PriceChangeEvent = facts([
  fact('PriceChangeScheduled', PriceChangeDetails),
  // Each of these subscriptions has recorded the notice.
  fact('PriceChangeNoticed', strict({ subscriptions: Count, at: UnixMs })),
  // `why`: not by the merchant, but because the network was reset.
  fact('PriceChangeCanceled', t.intersection([strict({ at: UnixMs }), partial({ why: t.literal('network_reset') })])),
  // No subscription waits for it any more.
  fact('PriceChangeWithdrawn', strict({ at: UnixMs })),
])
export type PriceChangeEvent = t.TypeOf<typeof PriceChangeEvent>
