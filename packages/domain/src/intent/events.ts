import * as t from 'io-ts'
import { AccountId, AssetId, ContractId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { LedgerSequence, MuxedId, OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { MemoId } from '../shared/memo.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** What kind of thing wants the money moved: it decides what a fee may cost. */
export const IntentClass = t.keyof(
  {
    refund: null,
    return: null,
    charge: null,
    cancellation: null,
    set_up: null,
    payout: null,
    rotation: null,
    upkeep: null,
    anchor: null,
  },
  'IntentClass',
)
export type IntentClass = t.TypeOf<typeof IntentClass>

/** `destinationMuxedId` is the number of a muxed destination. */
export const PaymentAction = t.intersection(
  [
    strict({ _tag: t.literal('payment'), destination: AccountId, assetId: AssetId, amount: Stroops }),
    partial({ destinationMuxedId: MuxedId }),
  ],
  'PaymentAction',
)
export type PaymentAction = t.TypeOf<typeof PaymentAction>

/**
 * A charge on a customer's mandate, for the period from `periodStart` up to `periodEnd`, both in whole seconds: no ledger
 * takes it that closes outside of it. With `periodStart`, `reference` names it in the contract.
 */
export const ChargeAction = strict(
  {
    _tag: t.literal('charge'),
    contractId: ContractId,
    mandateId: MandateId,
    customer: AccountId,
    periodStart: UnixMs,
    periodEnd: UnixMs,
    amount: Stroops,
    assetId: AssetId,
    reference: Text,
  },
  'ChargeAction',
)
export type ChargeAction = t.TypeOf<typeof ChargeAction>

/** The end of a mandate, by its operator: no money moves, and none can any more. */
export const CancellationAction = strict(
  { _tag: t.literal('mandate_cancellation'), contractId: ContractId, mandateId: MandateId },
  'CancellationAction',
)
export type CancellationAction = t.TypeOf<typeof CancellationAction>

/**
 * A trustline of the intent's source: set without a limit of its own, or removed. With a `sponsor`, that account keeps the
 * trustline's reserve (CAP-33).
 */
export const TrustlineAction = t.intersection(
  [
    strict({
      _tag: t.literal('change_trust'),
      assetId: AssetId,
      limit: t.keyof({ maximum: null, remove: null }),
    }),
    partial({ sponsor: AccountId }),
  ],
  'TrustlineAction',
)
export type TrustlineAction = t.TypeOf<typeof TrustlineAction>

/** A new account without any lumens, whose reserves the intent's source keeps (CAP-33). */
export const AccountCreationAction = strict(
  { _tag: t.literal('create_account'), account: AccountId },
  'AccountCreationAction',
)
export type AccountCreationAction = t.TypeOf<typeof AccountCreationAction>

/**
 * A new signer of the intent's source, which alone of the service's keys has weight from then on. With a `sponsor`, that
 * account keeps the signer's reserve (CAP-33). `signedOffline`: the transaction that does it, signed by the recovery key.
 */
export const KeyRotationAction = t.intersection(
  [strict({ _tag: t.literal('rotate_key'), to: AccountId }), partial({ sponsor: AccountId, signedOffline: Text })],
  'KeyRotationAction',
)
export type KeyRotationAction = t.TypeOf<typeof KeyRotationAction>

/**
 * A signer of the intent's source whose key the service never has, in place of an earlier one. `isProtected`: the thresholds
 * rise so that only this signer may change signers, while the service's key goes on to pay. A `sponsor` as for a rotation.
 */
export const RecoverySignerAction = t.intersection(
  [
    strict({ _tag: t.literal('set_recovery_signer'), signer: AccountId, isProtected: t.boolean }),
    partial({ sponsor: AccountId }),
  ],
  'RecoverySignerAction',
)
export type RecoverySignerAction = t.TypeOf<typeof RecoverySignerAction>

/**
 * Keeps a mandate contract on the ledger. Rent for its code and its instance: their lives are extended, or begun again where they
 * are archived. Where the ledger never held it, its code is uploaded and the contract is created.
 */
export const ContractUpkeepAction = strict(
  {
    _tag: t.literal('keep_contract'),
    contractId: ContractId,
    work: t.keyof({ extend: null, restore: null, upload: null, create: null }),
  },
  'ContractUpkeepAction',
)
export type ContractUpkeepAction = t.TypeOf<typeof ContractUpkeepAction>

/**
 * Puts the hash of a checkpoint on the ledger, as the memo of a transaction that moves nothing. `checkpoint` is the text that is
 * hashed: the lines of the log's checkpoint that its key signs. `signatures` are the lines of its signatures: with an empty line
 * between, both are the note. Source: c2sp.org/tlog-checkpoint, c2sp.org/signed-note.
 */
export const AnchorAction = strict({ _tag: t.literal('anchor'), checkpoint: Text, signatures: Text }, 'AnchorAction')
export type AnchorAction = t.TypeOf<typeof AnchorAction>

/** What is to happen on the ledger. */
export const IntentAction = t.union(
  [
    PaymentAction,
    ChargeAction,
    CancellationAction,
    TrustlineAction,
    AccountCreationAction,
    KeyRotationAction,
    RecoverySignerAction,
    ContractUpkeepAction,
    AnchorAction,
  ],
  'IntentAction',
)
export type IntentAction = t.TypeOf<typeof IntentAction>

/**
 * A movement that somebody wants. `owner` is the id of what wants it (`rf_…`, `ret_…`, `pay_…`, `end_…`, `set_…`,
 * `po_…`, `anc_…`), the account itself that gets another key, or the contract itself that is kept; `source` the account of the
 * operation: which pays, may charge, is set up, gets another key or anchors.
 * `memo` is the transaction's where the intent is alone in it, at most 28 bytes of UTF-8; `memoId` is a numeric one, beside
 * which `memo` is null.
 */
export const IntentDetails = t.intersection(
  [
    strict({ class: IntentClass, owner: Text, source: AccountId, action: IntentAction, memo: orNull(Text) }),
    partial({ memoId: MemoId }),
  ],
  'IntentDetails',
)
export type IntentDetails = t.TypeOf<typeof IntentDetails>

/**
 * Why a transaction will never carry an intent: it was `withdrawn` unsent, is proven `dead`, failed by the operation of
 * another intent (`another_failed`) or as a whole (`transaction_failed`).
 */
export const DetachReason = t.keyof(
  { withdrawn: null, dead: null, another_failed: null, transaction_failed: null },
  'DetachReason',
)
export type DetachReason = t.TypeOf<typeof DetachReason>

/**
 * Why an intent is not sent any more: so many transactions with it came to nothing, one after the other; a contract
 * would not have it, as a simulation found or its terms say before it was sent; nobody wants it any more, and it was never
 * sent; the money that it needs was not there for too long; or its network was reset.
 */
export const GiveUpReason = t.keyof(
  { attempts_exhausted: null, simulation_failed: null, withdrawn: null, insufficient_funds: null, network_reset: null },
  'GiveUpReason',
)
export type GiveUpReason = t.TypeOf<typeof GiveUpReason>

/**
 * Where a closed ledger holds an intent's operation, or its place among the charges of one call. `transactionHash` is the
 * one that the ledger lists.
 */
export const inLedger = {
  transactionHash: TransactionHash,
  operationIndex: OperationIndex,
  ledger: LedgerSequence,
  closedAt: UnixMs,
}

/** What happens to an intent, as its stream holds it. */
export const IntentEvent = facts([
  fact('IntentRecorded', IntentDetails),
  fact('IntentAttached', strict({ transactionHash: TransactionHash, operationIndex: OperationIndex })),
  // Of a transaction that does not carry it, this is a fence: that one can never carry it later.
  fact('IntentDetached', strict({ transactionHash: TransactionHash, reason: DetachReason })),
  fact('IntentSettled', strict(inLedger)),
  // `code` is the network's name of how the operation failed, such as `paymentNoTrust`; of a charge the contract's number.
  fact('IntentRefused', strict({ ...inLedger, code: Text })),
  // `code` is the number that the contract gave in the simulation.
  fact('IntentGivenUp', t.intersection([strict({ reason: GiveUpReason }), partial({ code: Text })])),
  fact('IntentReported', strict({})),
])
export type IntentEvent = t.TypeOf<typeof IntentEvent>
