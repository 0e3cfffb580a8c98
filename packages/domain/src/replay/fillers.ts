import { AssetId } from '../shared/asset.ts'
import { AuthorizationId, InvoiceId, makeId, PaymentId, PayoutId, SubscriptionId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { type UnixMs, unixMs } from '../shared/units.ts'

// What a command has to say and no event repeats. Nobody has these ids.
const nothing = new Uint8Array(10)
/** Another one for each moment, so that what is replayed under other rules may use several. */
export const unusedPayment = (at: UnixMs): PaymentId => makeId(PaymentId, at, nothing)
export const unusedInvoice = (at: UnixMs): InvoiceId => makeId(InvoiceId, at, nothing)
export const unusedAuthorization = (at: UnixMs): AuthorizationId => makeId(AuthorizationId, at, nothing)
export const anyPayment = unusedPayment(unixMs(0))
export const anyPayout = makeId(PayoutId, unixMs(0), nothing)
export const anySubscription = makeId(SubscriptionId, unixMs(0), nothing)

const named = <A>(is: (value: unknown) => value is A, value: unknown): A => {
  if (is(value)) return value
  throw new TypeError(`${value} is no filler`)
}

export const anyLedger = named(LedgerSequence.is, 1)
export const anyAsset = named(AssetId.is, 'native')
/** A quote that every mandate allows, and one that none does. */
export const least = stroops(0n)
export const most = stroops(maximumStroops)
