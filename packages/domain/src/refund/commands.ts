import type { OutgoingSettlement } from '../shared/outgoing.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { RefundDetails, RefundFailureReason } from './events.ts'

export type RequestRefund = { readonly type: 'RequestRefund' } & RefundDetails

/** It waits until then, if that is later than now. */
export type PostponeRefund = { readonly type: 'PostponeRefund'; readonly sendsAt: UnixMs }

/** Before anything of a refund that waits is sent. */
export type EndRefundWait = { readonly type: 'EndRefundWait'; readonly at: UnixMs }

/** Possible as long as it waits. */
export type CancelRefund = { readonly type: 'CancelRefund'; readonly at: UnixMs }

/** Only from a closed ledger that was ingested. */
export type SettleRefund = { readonly type: 'SettleRefund' } & OutgoingSettlement

/** Only once nothing can be paid any more. */
export type FailRefund = {
  readonly type: 'FailRefund'
  readonly reason: RefundFailureReason
  readonly code: Text | null
  readonly at: UnixMs
}

/** What may be asked of a refund. */
export type RefundCommand = RequestRefund | PostponeRefund | EndRefundWait | CancelRefund | SettleRefund | FailRefund
