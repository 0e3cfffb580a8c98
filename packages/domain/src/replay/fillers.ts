import { AssetId } from '../shared/asset.ts'
import { AuthorizationId, InvoiceId, makeId, PaymentId, PayoutId, SubscriptionId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { unixMs } from '../shared/units.ts'

// What a command has to say and no event repeats. Nobody has these ids.
const nothing = new Uint8Array(10)
export const anyPayment = makeId(PaymentId, unixMs(0), nothing)
export const anyPayout = makeId(PayoutId, unixMs(0), nothing)
export const anyInvoice = makeId(InvoiceId, unixMs(0), nothing)
export const anySubscription = makeId(SubscriptionId, unixMs(0), nothing)
export const anyAuthorization = makeId(AuthorizationId, unixMs(0), nothing)

const named = <A>(is: (value: unknown) => value is A, value: unknown): A => {
  if (is(value)) return value
  throw new TypeError(`${value} is no filler`)
}

export const anyLedger = named(LedgerSequence.is, 1)
export const anyAsset = named(AssetId.is, 'native')
/** A quote that every mandate allows, and one that none does. */
export const least = stroops(0n)
export const most = stroops(maximumStroops)
