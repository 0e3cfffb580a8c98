import type { CheckoutId, ReturnId } from '../shared/ids.ts'
import type { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { Application, ExceptionDetails, MoneyReturn, UndecidedReason } from './events.ts'

export type OpenException = { readonly type: 'OpenException' } & ExceptionDetails

/** It cannot go back by itself. */
export type LeaveToPerson = { readonly type: 'LeaveToPerson'; readonly reason: UndecidedReason }

/** The destination was looked at: it can take the money. */
export type StartReturn = { readonly type: 'StartReturn' } & MoneyReturn

/** It waits until then, if that is later than now. */
export type PostponeReturn = {
  readonly type: 'PostponeReturn'
  readonly returnId: ReturnId
  readonly sendsAt: UnixMs
}

/** Before anything of a return that waits is sent. */
export type EndReturnWait = { readonly type: 'EndReturnWait'; readonly returnId: ReturnId; readonly at: UnixMs }

/** Possible as long as the return waits. */
export type CancelReturn = { readonly type: 'CancelReturn'; readonly at: UnixMs }

/** Only from a closed ledger that was ingested. */
export type SettleReturn = {
  readonly type: 'SettleReturn'
  readonly returnId: ReturnId
  readonly transactionHash: TransactionHash
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

/** Only once nothing of it can be paid any more. */
export type FailReturn = {
  readonly type: 'FailReturn'
  readonly returnId: ReturnId
  readonly reason: UndecidedReason
  readonly code: Text
  readonly at: UnixMs
}

export type StartApplication = { readonly type: 'StartApplication' } & Application

/** Its network was reset: what it is about is gone. */
export type EndForReset = { readonly type: 'EndForReset'; readonly at: UnixMs }

/** The checkout has it: it counts there, or is another exception of that checkout by now. */
export type SettleApplication = {
  readonly type: 'SettleApplication'
  readonly checkoutId: CheckoutId
  readonly at: UnixMs
}

/** It is kept. */
export type AcceptException = {
  readonly type: 'AcceptException'
  readonly actor: Text
  readonly note: Text | null
  readonly at: UnixMs
}

/** The operator leaves what was held because of a screening to the merchant. */
export type ReleaseHold = { readonly type: 'ReleaseHold' } & HoldChange

/** It stays held, as by an order of a court. */
export type KeepHold = { readonly type: 'KeepHold' } & HoldChange

type HoldChange = { readonly actor: Text; readonly note: Text | null; readonly at: UnixMs }

/** What may be asked of an exception. */
export type ExceptionCommand =
  | OpenException
  | EndForReset
  | LeaveToPerson
  | StartReturn
  | PostponeReturn
  | EndReturnWait
  | CancelReturn
  | SettleReturn
  | FailReturn
  | StartApplication
  | SettleApplication
  | AcceptException
  | ReleaseHold
  | KeepHold
