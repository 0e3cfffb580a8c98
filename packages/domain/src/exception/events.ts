import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, ExceptionId, PaymentId, ReturnId } from '../shared/ids.ts'
import {
  IncomingPaymentOrdinal,
  IncomingPaymentOrigin,
  IncomingPaymentSum,
  LedgerSequence,
  MuxedId,
  OperationIndex,
  TransactionHash,
} from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Why money does not fit:
 * `underpaid` too little had come at the deadline; `overpaid` an excess that is to be returned; `late` after the
 * deadline and not enough, or too late; `paid_twice` for a sale that is already paid; `wrong_asset` another asset or
 * issuer than was asked for; `after_failure` for a session that has failed; `authorization_failed` for a subscription, but
 * not by a mandate that counts; `unmatched` no memo or one that names nothing of ours; `dust` unmatched and below ten times the fee: not worth returning, recorded all the same;
 * `screened` from an address that a list names, or whoever else a screening stops: only the operator decides;
 * `unexplained` a balance of a settlement account that changed by nothing of ours, such as a withdrawal of the
 * merchant's own, a trade or a clawback: nothing can be given back, a person accepts it.
 */
export const ExceptionKind = t.keyof(
  {
    underpaid: null,
    overpaid: null,
    late: null,
    paid_twice: null,
    wrong_asset: null,
    after_failure: null,
    authorization_failed: null,
    unmatched: null,
    dust: null,
    unexplained: null,
    screened: null,
  },
  'ExceptionKind',
)
export type ExceptionKind = t.TypeOf<typeof ExceptionKind>

/**
 * Of an `unexplained` exception: what one transaction did to one balance of `account`, less what is explained of it.
 * `movements` are the kinds of what adds up to it, in the ledger's names, such as `payment`, `trade` and `fee`.
 */
export const UnexplainedChange = strict(
  {
    account: AccountId,
    direction: t.keyof({ gain: null, loss: null }),
    movements: t.readonlyArray(Text),
  },
  'UnexplainedChange',
)
export type UnexplainedChange = t.TypeOf<typeof UnexplainedChange>

/**
 * A payment of our own that a closed ledger holds and nothing in the log asked for: the log was restored, and has lost what
 * it was for.
 */
export const ForgottenPayment = t.intersection(
  [
    strict({ operationIndex: OperationIndex, destination: AccountId, amount: Stroops }),
    partial({ destinationMuxedId: MuxedId }),
  ],
  'ForgottenPayment',
)
export type ForgottenPayment = t.TypeOf<typeof ForgottenPayment>

/** The memo of a transaction that named nothing of ours. */
export const ReceivedMemo = strict(
  { type: t.keyof({ text: null, id: null, hash: null, return: null }), value: Text },
  'ReceivedMemo',
)
export type ReceivedMemo = t.TypeOf<typeof ReceivedMemo>

/**
 * `amount` is what the exception is about: the incoming payment that it names, for `overpaid` the part that is too much, for
 * `unexplained` the size of its `change`; that one's `operationIndex` is of the first of its movements, 0 for a fee.
 * `origin` is absent from older records; `mandateId` is as in `IncomingPayment`; `appliedFrom` names the exception whose
 * money an operator had applied;
 * `account` is the one that received what names no checkout; `paidTo` are the payments of our own that make up the change;
 * `sum` is as in `IncomingPayment`.
 */
export const ExceptionDetails = t.intersection(
  [
    strict({
      kind: ExceptionKind,
      assetId: AssetId,
      amount: Stroops,
      transactionHash: TransactionHash,
      operationIndex: OperationIndex,
      from: AccountId,
      checkoutId: orNull(CheckoutId),
      paymentId: orNull(PaymentId),
      ledger: LedgerSequence,
      closedAt: UnixMs,
    }),
    partial({
      ordinal: IncomingPaymentOrdinal,
      origin: IncomingPaymentOrigin,
      memo: ReceivedMemo,
      appliedFrom: ExceptionId,
      mandateId: MandateId,
      change: UnexplainedChange,
      account: AccountId,
      paidTo: t.readonlyArray(ForgottenPayment),
      sum: IncomingPaymentSum,
    }),
  ],
  'ExceptionDetails',
)
export type ExceptionDetails = t.TypeOf<typeof ExceptionDetails>

/**
 * Why a person has to decide: there is nothing to give back; the sender is unknown, or an account of ours, or it is a
 * return itself; it is XLM that may be the merchant's own, and the policy is to wait; the sender cannot take it; a restored log may have lost what it came for; a payment of ours that it has lost may have been its return; or a return was tried and came to nothing, or was canceled, or ended with a reset of its network; or only the operator decides (`screening`), has decided to keep it held (`screening_kept`), or has left it to the merchant (`screening_cleared`).
 */
export const UndecidedReason = t.keyof(
  {
    not_returnable: null,
    sender_unknown: null,
    sender_is_ours: null,
    is_return: null,
    unknown_lumens: null,
    destination_not_found: null,
    destination_no_trustline: null,
    destination_not_authorized: null,
    destination_full: null,
    destination_requires_memo: null,
    destination_is_omnibus: null,
    destination_is_own: null,
    insufficient_funds: null,
    log_rolled_back: null,
    perhaps_paid: null,
    refused_by_ledger: null,
    not_sent: null,
    return_canceled: null,
    network_reset: null,
    screening: null,
    screening_kept: null,
    screening_cleared: null,
  },
  'UndecidedReason',
)
export type UndecidedReason = t.TypeOf<typeof UndecidedReason>

/** Who decided, and what they have noted. */
const decided = { actor: Text, note: orNull(Text) }

/**
 * Money on its way back, all of it. The number of a muxed address is the sender's. `sendsAt` is set if nothing shows whose
 * the address is: until then the return waits, and can be canceled.
 */
export const MoneyReturn = t.intersection(
  [
    strict({
      returnId: ReturnId,
      destination: AccountId,
      destinationMuxedId: orNull(MuxedId),
      startedAt: UnixMs,
      ...decided,
    }),
    partial({ sendsAt: UnixMs }),
  ],
  'MoneyReturn',
)
export type MoneyReturn = t.TypeOf<typeof MoneyReturn>

/** `refund`: it went back; `apply`: it counts for a checkout; `accept`: it is kept. */
export const ExceptionAction = t.keyof({ refund: null, apply: null, accept: null }, 'ExceptionAction')
export type ExceptionAction = t.TypeOf<typeof ExceptionAction>

export const Application = strict({ checkoutId: CheckoutId, paymentId: PaymentId, startedAt: UnixMs, ...decided })
export type Application = t.TypeOf<typeof Application>

export const Resolution = strict({ action: ExceptionAction, resolvedAt: UnixMs, ...decided })
export type Resolution = t.TypeOf<typeof Resolution>

/** What happens to an exception, as its stream holds it. */
export const ExceptionEvent = facts([
  fact('ExceptionOpened', ExceptionDetails),
  fact('ExceptionLeftToPerson', strict({ reason: UndecidedReason })),
  // Before anything is sent: from here on there is no other return, and it cannot be applied.
  fact('ReturnStarted', MoneyReturn),
  // The log was restored while the return waited: the wait began again.
  fact('ReturnPostponed', strict({ returnId: ReturnId, sendsAt: UnixMs })),
  // From here on it cannot be canceled.
  fact('ReturnWaitEnded', strict({ returnId: ReturnId })),
  // Nothing was paid, and nothing of it can be any more. `code` is the ledger's own word, or why it was given up.
  fact('ReturnFailed', strict({ returnId: ReturnId, reason: UndecidedReason, code: Text, failedAt: UnixMs })),
  // A closed ledger holds it.
  fact(
    'ExceptionReturned',
    strict({ returnId: ReturnId, transactionHash: TransactionHash, ledger: LedgerSequence, closedAt: UnixMs }),
  ),
  // Before the checkout counts it: from here on it is not returned. `paymentId` is used if no payment is open.
  fact('ApplicationStarted', Application),
  // Of what a screening has stopped: the operator leaves it to the merchant from here on, or decides that it stays held.
  fact('HoldReleased', strict({ ...decided, at: UnixMs })),
  fact('HoldKept', strict({ ...decided, at: UnixMs })),
  fact('ExceptionResolved', Resolution),
])
export type ExceptionEvent = t.TypeOf<typeof ExceptionEvent>
