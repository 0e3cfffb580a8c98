import * as t from 'io-ts'
import { IntentClass } from '../intent/index.ts'
import { AccountSequence } from '../shared/account-sequence.ts'
import { AccountId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { IntentId } from '../shared/ids.ts'
import { LedgerSequence, OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, UnixMs } from '../shared/units.ts'

/**
 * A transaction as it was built and signed; its hash is in the stream's name. `envelopeXdr` is base64. It can enter no
 * ledger that closes after `maxTime`, and none up to ledger `preparedAfter`, which closed at `preparedAt`. `intents`
 * stand in the order of its operations, or of the charges of its one call. `fee` is what each operation bids, `feeCap`
 * the most that one may ever bid; `resourceFee` is what a contract call takes beside it.
 *
 * `operations` is there where the log had lost the transaction and a closed ledger gave it back: the operation of each
 * intent, since nothing in the log may belong to the others.
 */
export const TransactionDetails = t.intersection(
  [
    strict({
      envelopeXdr: Text,
      sourceAccount: AccountId,
      accountSequence: AccountSequence,
      maxTime: UnixMs,
      preparedAfter: LedgerSequence,
      preparedAt: UnixMs,
      class: IntentClass,
      fee: Stroops,
      feeCap: Stroops,
      intents: t.readonlyArray(IntentId),
    }),
    partial({ resourceFee: Stroops, operations: t.readonlyArray(OperationIndex) }),
  ],
  'TransactionDetails',
)
export type TransactionDetails = t.TypeOf<typeof TransactionDetails>

/**
 * Why a transaction is not sent: its number or an intent of it belongs to another one, its time is almost over, or the
 * operator has frozen what it would pay.
 */
export const WithdrawReason = t.keyof(
  {
    sequence_taken: null,
    intent_taken: null,
    out_of_time: null,
    insufficient_funds: null,
    canceled: null,
    frozen: null,
  },
  'WithdrawReason',
)
export type WithdrawReason = t.TypeOf<typeof WithdrawReason>

/**
 * The same transaction with a higher `fee` for each operation, paid by `feeSource`; `transactionHash` is the one of the
 * whole. `bumpedAfter` is the newest ledger that was ingested by then: its own ledgers begin behind it.
 */
export const FeeBump = t.intersection(
  [
    strict({ transactionHash: TransactionHash, envelopeXdr: Text, feeSource: AccountId, fee: Stroops }),
    partial({ bumpedAfter: LedgerSequence }),
  ],
  'FeeBump',
)
export type FeeBump = t.TypeOf<typeof FeeBump>

/** Why the network will not have the bytes: its own names. */
export const SubmissionRefusal = strict({ code: Text, operationCodes: t.readonlyArray(Text) }, 'SubmissionRefusal')
export type SubmissionRefusal = t.TypeOf<typeof SubmissionRefusal>

/** A closed ledger holds it, as `transactionHash`: the outer hash of a fee bump, ours or not. */
const inLedger = {
  transactionHash: TransactionHash,
  ledger: LedgerSequence,
  closedAt: UnixMs,
  feeSource: AccountId,
  feeCharged: Stroops,
}
/** `answers`: the contract's to each charge of the call, 0 for charged, else its number. */
export const TransactionSuccess = t.intersection(
  [strict(inLedger), partial({ answers: t.readonlyArray(Count) })],
  'TransactionSuccess',
)
export type TransactionSuccess = t.TypeOf<typeof TransactionSuccess>
export const TransactionFailure = strict(
  { ...inLedger, code: Text, operationCodes: t.readonlyArray(Text) },
  'TransactionFailure',
)
export type TransactionFailure = t.TypeOf<typeof TransactionFailure>

/** A closed ledger took a fee for a fee bump that failed by itself: the transaction inside was not tried. */
export const BumpFailure = strict({ ...inLedger, code: Text }, 'BumpFailure')
export type BumpFailure = t.TypeOf<typeof BumpFailure>

/**
 * The intent that an operation of a recovered transaction has fulfilled, instead of the one that was planned, if one was; null
 * where the log knows of none. Somebody has decided since the plan.
 */
export const OperationReassignment = strict(
  { operationIndex: OperationIndex, intentId: orNull(IntentId) },
  'OperationReassignment',
)
export type OperationReassignment = t.TypeOf<typeof OperationReassignment>

/** The last ledger that was ingested without finding it, which closed after its `maxTime`. */
export const TransactionDeath = strict({ ledger: LedgerSequence, closedAt: UnixMs }, 'TransactionDeath')
export type TransactionDeath = t.TypeOf<typeof TransactionDeath>

/**
 * What a person says became of it, where no ledger can tell any more: `ledger` held it, or none did. `closedAt` is the close
 * time of the newest ledger that was ingested then; `by` is who, as far as they said. What its fee was, nobody knows.
 */
const decided = { closedAt: UnixMs, by: Text, reason: Text }
/** What an operator decided about a transaction without a provable outcome. */
export const TransactionDecision = t.union(
  [
    strict({ as: t.literal('succeeded'), ledger: LedgerSequence, ...decided }),
    strict({ as: t.literal('failed'), ...decided }),
    strict({ as: t.literal('dead'), ...decided }),
  ],
  'TransactionDecision',
)
export type TransactionDecision = t.TypeOf<typeof TransactionDecision>

/** What is recorded of a transaction of ours, from its draft to its outcome. */
export const LedgerTransactionEvent = facts([
  fact('TransactionPrepared', TransactionDetails),
  // Its sequence number and its intents are its own: from now on its bytes may be anywhere.
  fact('TransactionReleased', strict({})),
  fact('TransactionWithdrawn', strict({ reason: WithdrawReason })),
  fact('FeeBumped', FeeBump),
  fact('FeeBumpFailed', BumpFailure),
  // None of its bytes are sent again: it can only die, if an earlier send did not reach a ledger.
  fact('SubmissionRefused', SubmissionRefusal),
  fact('TransactionSucceeded', TransactionSuccess),
  fact('TransactionFailed', TransactionFailure),
  fact('OperationReassigned', OperationReassignment),
  fact('TransactionDied', TransactionDeath),
  fact('TransactionDecided', TransactionDecision),
  // Its intents and its sequence number know of the end.
  fact('TransactionClosed', strict({})),
])
export type LedgerTransactionEvent = t.TypeOf<typeof LedgerTransactionEvent>
