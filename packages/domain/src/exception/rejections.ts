import type { CheckoutId, ReturnId } from '../shared/ids.ts'
import type { UnixMs } from '../shared/units.ts'
import type { ExceptionAction, ExceptionDetails, ExceptionKind } from './events.ts'

/** Why a command about an exception is refused, with the facts that explain it. */
export type ExceptionRejection =
  | { readonly _tag: 'ExceptionNotFound' }
  /** The id names another exception already. */
  | { readonly _tag: 'ExceptionAlreadyOpen'; readonly details: ExceptionDetails }
  | { readonly _tag: 'ExceptionIsResolved'; readonly action: ExceptionAction }
  /** It may be on the ledger already. */
  | { readonly _tag: 'ReturnUnderWay'; readonly returnId: ReturnId }
  | { readonly _tag: 'ApplicationUnderWay'; readonly checkoutId: CheckoutId }
  /** It is not this return that is under way. */
  | { readonly _tag: 'ReturnNotStarted'; readonly returnId: ReturnId }
  /** Nothing of it may be sent before. */
  | { readonly _tag: 'ReturnWaits'; readonly sendsAt: UnixMs }
  /** No return of it waits: none was started, or it is on its way to the ledger. */
  | { readonly _tag: 'ReturnNotWaiting' }
  | { readonly _tag: 'ApplicationNotStarted'; readonly checkoutId: CheckoutId }
  /** An excess is part of a credit that a payment has: only the whole of a credit can count for another. */
  | { readonly _tag: 'NotApplicable'; readonly kind: ExceptionKind }
  /** A screening has stopped it: only the operator decides. */
  | { readonly _tag: 'HeldForOperator' }
  /** Nothing has been stopped by a screening, or the operator has left it to the merchant. */
  | { readonly _tag: 'NotHeld' }
  /** Nothing has come that could go back. */
  | { readonly _tag: 'NotReturnable'; readonly kind: ExceptionKind }
