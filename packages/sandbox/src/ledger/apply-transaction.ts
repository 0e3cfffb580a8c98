import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { ContractContext } from '../operations/contract-context.ts'
import { logicOf } from '../operations/index.ts'
import type { OperationContext, OperationOutcome } from '../operations/operation.ts'
import { findAccount, requireAccount, saveAccount, withUsedSequence } from './accounts.ts'
import { checkEnvelope, checkOperationAuth, operationSource, resultOf } from './check-transaction.ts'
import { contractContextOf } from './contract-context.ts'
import { draftOn, keepIn, type LedgerDraft } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'
import { chargedFee, feeSourceOf, outerResult } from './fees.ts'
import { add, findHolding, room } from './holdings.ts'
import { signatureChecker } from './signatures.ts'

const code = xdr.TransactionResultResult

/**
 * An applied transaction. `refund` is the unused part of its resource fee, in stroops, returned once all transactions
 * of the ledger have run.
 */
export type AppliedTransaction = {
  readonly signed: SignedTransaction
  readonly result: xdr.TransactionResult
  readonly meta: xdr.TransactionMeta
  readonly feeChanges: xdr.LedgerEntryChange[]
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly refund: bigint
  readonly refundChanges: xdr.LedgerEntryChange[]
}

/** Charges the fee whatever the outcome, from the reserve if need be, but never more than the balance. */
export const chargeFee = (signed: SignedTransaction, below: LedgerDraft) => {
  const draft = draftOn(below, below.ledger)
  const account = requireAccount(draft, feeSourceOf(signed))
  const due = chargedFee(signed, below.ledger)
  const fee = account.balance < due ? account.balance : due
  saveAccount(draft, account, { balance: account.balance - fee })
  const feeChanges = draft.changes()
  keepIn(below, draft)
  return { fee, feeChanges }
}

/** Repeats the checks that earlier transactions of the ledger may have invalidated, and uses the sequence number. */
const authorize = (signed: SignedTransaction, draft: LedgerDraft): xdr.TransactionResultResult | undefined => {
  const { ledger } = draft
  const checker = signatureChecker(signed.innerHash, signed.signatures)
  const checked = checkEnvelope(signed, draft, checker, { ledger, earliest: ledger.closeTime, isFeePaid: true })
  if (E.isLeft(checked) && !checked.left.usesSequence) return checked.left.result
  const account = requireAccount(draft, signed.source)
  saveAccount(draft, withUsedSequence(account, ledger, signed.transaction.seqNum), {})
  if (E.isLeft(checked)) return checked.left.result
  const { operations } = signed.transaction
  const refusals = operations.map((operation) => checkOperationAuth(operation, signed, draft, checker))
  if (refusals.some((refusal) => refusal !== undefined))
    return code.txFailed(
      operations.map(({ body }, at) => refusals[at] ?? logicOf(body)?.success ?? xdr.OperationResult.opNotSupported()),
    )
  return checker.allUsed() ? undefined : code.txBadAuthExtra()
}

/** Runs one operation on a draft; its source must exist by now. */
export const runOperation = (
  operation: xdr.Operation,
  source: xdr.PublicKey,
  draft: LedgerDraft,
  context: OperationContext,
): OperationOutcome => {
  const logic = logicOf(operation.body)
  if (logic === undefined) return E.left(xdr.OperationResult.opNotSupported())
  if (findAccount(draft, source) === undefined) return E.left(xdr.OperationResult.opNoAccount())
  const checked = logic.check(source, context.contract?.declared)
  return E.isLeft(checked) ? checked : logic.apply(source, draft, context)
}

/** Runs all operations, even after a failure; one failure undoes all and leaves no changes in the meta. */
const runOperations = (signed: SignedTransaction, below: LedgerDraft, contract: ContractContext | undefined) => {
  const draft = draftOn(below, below.ledger)
  const { operations, seqNum: sequence } = signed.transaction
  const ran = operations.map((operation, index) => {
    const own = draftOn(draft, draft.ledger, draft.pledges)
    const context = { account: signed.source, sequence, index, ...(contract && { contract }) }
    const outcome = runOperation(operation, operationSource(operation, signed), own, context)
    if (E.isLeft(outcome)) return { outcome, result: outcome.left, changes: [] }
    const changes = own.changes()
    keepIn(draft, own)
    return { outcome, result: outcome.right, changes }
  })
  const results = ran.map(({ result }) => result)
  if (ran.some(({ outcome }) => E.isLeft(outcome))) return { result: code.txFailed(results), changes: [] }
  if (draft.pledges.size > 0) return { result: code.txBadSponsorship(), changes: [] }
  keepIn(below, draft)
  return { result: code.txSuccess(results), changes: ran.map(({ changes }) => changes) }
}

const sorobanMeta = (contract: ContractContext): xdr.SorobanTransactionMetaV2 => {
  const { nonRefundable, refundable } = contract.charged()
  const { rentFee, returnValue } = contract.noted()
  const charged = new xdr.SorobanTransactionMetaExtV1({
    ext: xdr.ExtensionPoint.v0(),
    totalNonRefundableResourceFeeCharged: nonRefundable,
    totalRefundableResourceFeeCharged: refundable,
    rentFeeCharged: rentFee,
  })
  return new xdr.SorobanTransactionMetaV2({ ext: xdr.SorobanTransactionMetaExt.v1(charged), returnValue })
}

const metaOf = (
  txChangesBefore: xdr.LedgerEntryChange[],
  operations: xdr.LedgerEntryChange[][],
  contract: ContractContext | undefined,
) => {
  const { events = [], diagnostics = [] } = contract?.noted() ?? {}
  return xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: xdr.ExtensionPoint.v0(),
      txChangesBefore,
      operations: operations.map(
        (changes) => new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes, events: [...events] }),
      ),
      txChangesAfter: [],
      sorobanMeta: contract === undefined || operations.length === 0 ? null : sorobanMeta(contract),
      events: [],
      diagnosticEvents: [...diagnostics],
    }),
  )
}

/** Applies a transaction after its fee has been charged. */
export const applyTransaction = (
  signed: SignedTransaction,
  below: LedgerDraft,
  fee: bigint,
  feeChanges: xdr.LedgerEntryChange[],
): AppliedTransaction => {
  const before = draftOn(below, below.ledger)
  const refused = authorize(signed, before)
  const changesBefore = before.changes()
  keepIn(below, before)
  const contract = contractContextOf(signed)
  const ran = refused === undefined ? runOperations(signed, below, contract) : { result: refused, changes: [] }
  const result = resultOf(fee, outerResult(signed, ran.result))
  const refund = contract?.refund(ran.result.type === 'txSuccess') ?? 0n
  const meta = metaOf(changesBefore, ran.changes, contract)
  const events = contract?.noted().events ?? []
  return { signed, result, meta, feeChanges, events, refund, refundChanges: [] }
}

/** Refunds the unused resource fee, unless the payer is gone or has no room for it. */
export const refunded = (applied: AppliedTransaction, below: LedgerDraft): AppliedTransaction => {
  const { signed, result, refund } = applied
  const holding = refund === 0n ? undefined : findHolding(below, feeSourceOf(signed), xdr.Asset.assetTypeNative())
  if (holding === undefined || room(holding) < refund || result.feeCharged < refund) return applied
  const draft = draftOn(below, below.ledger)
  add(draft, holding, refund)
  const refundChanges = draft.changes()
  keepIn(below, draft)
  return { ...applied, result: resultOf(result.feeCharged - refund, result.result), refundChanges }
}
