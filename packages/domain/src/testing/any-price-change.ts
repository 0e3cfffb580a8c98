import fc from 'fast-check'
import type { PriceChangeCommand, PriceChangeDetails, PriceChangeEvent } from '../price-change/index.ts'
import { afterNotice } from '../price-change/index.ts'
import { cents } from '../shared/cents.ts'
import { ProductId } from '../shared/ids.ts'
import { count, unixMs } from '../shared/units.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId, start, usdc } from './examples.ts'
import { monthly } from './subscription-examples.ts'

const one = fc.constantFrom
const aTime = one(start, unixMs(start + 1), unixMs(start + 2))

/** 12 USD a month, as soon as may be. */
export const examplePriceChange: PriceChangeDetails = {
  productId: exampleId(ProductId, 1),
  interval: 'month',
  price: { ...monthly.price, cents: cents(1200n) },
  assetId: usdc,
  effectiveAt: afterNotice(start),
  withoutConsent: 'keep',
  scheduledAt: start,
}
const details: fc.Arbitrary<PriceChangeDetails> = one(
  examplePriceChange,
  { ...examplePriceChange, withoutConsent: 'cancel' },
  { ...examplePriceChange, effectiveAt: start },
)
const at = some.record({ at: aTime })

export const anyPriceChangeCommand: fc.Arbitrary<PriceChangeCommand> = fc.oneof(
  details.map((each) => ({ type: 'SchedulePriceChange' as const, details: each })),
  at.map((each) => ({ type: 'RecordNotices' as const, subscriptions: count(3), ...each })),
  at.map((each) => ({ type: 'CancelPriceChange' as const, ...each })),
  at.map((each) => ({ type: 'RecordWithdrawal' as const, ...each })),
)

const anyAt = some.record({ at: some.anyTime })
const priceChangeEvents: ByType<PriceChangeEvent> = {
  PriceChangeScheduled: event('PriceChangeScheduled', details),
  PriceChangeNoticed: event('PriceChangeNoticed', some.record({ subscriptions: some.anyCount, at: some.anyTime })),
  PriceChangeCanceled: event('PriceChangeCanceled', anyAt),
  PriceChangeWithdrawn: event('PriceChangeWithdrawn', anyAt),
}
export const anyPriceChangeEvent: fc.Arbitrary<PriceChangeEvent> = fc.oneof(...Object.values(priceChangeEvents))
