import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { FurtherCredit, LedgerSequence, OperationIndex, TransactionHash } from '../shared/credit.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Why money does not fit:
 * `underpaid` too little had come at the deadline; `overpaid` an excess that is to be returned; `late` after the
 * deadline and not enough, or too late; `paid_twice` for a sale that is already paid; `wrong_asset` another asset or
 * issuer than was asked for; `after_failure` for a session that has failed; `unmatched` no memo or one that names
 * nothing of ours; `dust` unmatched and below ten times the fee: not worth returning, recorded all the same.
 */
export const ExceptionKind = t.keyof(
  {
    underpaid: null,
    overpaid: null,
    late: null,
    paid_twice: null,
    wrong_asset: null,
    after_failure: null,
    unmatched: null,
    dust: null,
  },
  'ExceptionKind',
)
export type ExceptionKind = t.TypeOf<typeof ExceptionKind>

/** `amount` is what the exception is about: the credit it names, or for `overpaid` the part that is too much. */
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
    FurtherCredit,
  ],
  'ExceptionDetails',
)
export type ExceptionDetails = t.TypeOf<typeof ExceptionDetails>

export const ExceptionEvent = facts([fact('ExceptionOpened', ExceptionDetails)])
export type ExceptionEvent = t.TypeOf<typeof ExceptionEvent>
