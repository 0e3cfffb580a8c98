import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { FurtherCredit, LedgerSequence, OperationIndex, TransactionHash } from '../shared/credit.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Why money does not fit:
 * `underpaid` too little had come at the deadline; `overpaid` an excess that is to be returned; `late` after the
 * deadline and not enough, or too late; `paid_twice` for a sale that is already paid; `wrong_asset` another asset or
 * issuer than was asked for; `after_failure` for a session that has failed; `unmatched` no memo or one that names
 * nothing of ours; `dust` unmatched and below ten times the fee: not worth returning, recorded all the same;
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
    unmatched: null,
    dust: null,
    unexplained: null,
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
 * `amount` is what the exception is about: the credit it names, for `overpaid` the part that is too much, for
 * `unexplained` the size of its `change`; that one's `operationIndex` is of the first of its movements, 0 for a fee.
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
    FurtherCredit,
    t.exact(t.partial({ change: UnexplainedChange })),
  ],
  'ExceptionDetails',
)
export type ExceptionDetails = t.TypeOf<typeof ExceptionDetails>

export const ExceptionEvent = facts([fact('ExceptionOpened', ExceptionDetails)])
export type ExceptionEvent = t.TypeOf<typeof ExceptionEvent>
