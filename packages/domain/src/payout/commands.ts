import type { OutgoingSettlement } from '../shared/outgoing.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutDetails, PayoutFailureReason } from './events.ts'

export type RequestPayout = { readonly type: 'RequestPayout' } & PayoutDetails

/** Only once its intent is given up, so that it cannot be sent. */
export type CancelPayout = { readonly type: 'CancelPayout'; readonly at: UnixMs }

/** Only from a closed ledger that was ingested. */
export type SettlePayout = { readonly type: 'SettlePayout' } & OutgoingSettlement

/** Only once nothing can be paid any more. */
export type FailPayout = {
  readonly type: 'FailPayout'
  readonly reason: PayoutFailureReason
  readonly code: Text | null
  readonly at: UnixMs
}

/** What may be asked of a payout. */
export type PayoutCommand = RequestPayout | CancelPayout | SettlePayout | FailPayout
