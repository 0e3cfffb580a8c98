import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { logicOf } from '../operations/index.ts'
import type { OperationOutcome, OperationPlace } from '../operations/operation.ts'
import { findAccount, requireAccount, saveAccount, withUsedSequence } from './accounts.ts'
import { checkEnvelope, checkOperationAuth, operationSource, resultOf } from './check-transaction.ts'
import { draftOn, keepIn, type LedgerDraft } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'
import { feeSourceOf, leastFee, outerResult } from './fees.ts'
import { signatureChecker } from './signatures.ts'

const code = xdr.TransactionResultResult

/** What became of a transaction in a ledger. */
export type AppliedTransaction = {
  readonly signed: SignedTransaction
  readonly result: xdr.TransactionResult
  readonly meta: xdr.TransactionMeta
  readonly feeChanges: xdr.LedgerEntryChange[]
}

/** Takes the fee, whatever becomes of the transaction, into the reserve if need be, though never below nothing. */
export const chargeFee = (signed: SignedTransaction, below: LedgerDraft) => {
  const draft = draftOn(below, below.ledger)
  const account = requireAccount(draft, feeSourceOf(signed))
  const due = leastFee(signed, below.ledger)
  const fee = account.balance < due ? account.balance : due
  saveAccount(draft, account, { balance: account.balance - fee })
  const feeChanges = draft.changes()
  keepIn(below, draft)
  return { fee, feeChanges }
}

/** The checks that stand again once earlier transactions of the ledger have changed it, and the spent sequence number. */
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

/** Runs one operation on a draft: its source must exist by now. */
export const runOperation = (
  operation: xdr.Operation,
  source: xdr.PublicKey,
  draft: LedgerDraft,
  place: OperationPlace,
): OperationOutcome => {
  const logic = logicOf(operation.body)
  if (logic === undefined) return E.left(xdr.OperationResult.opNotSupported())
  if (findAccount(draft, source) === undefined) return E.left(xdr.OperationResult.opNoAccount())
  const checked = logic.check(source)
  return E.isLeft(checked) ? checked : logic.apply(source, draft, place)
}

/** Runs all operations, also those after a failed one; any failure undoes them all, and leaves no trace in the meta. */
const runOperations = (signed: SignedTransaction, below: LedgerDraft) => {
  const draft = draftOn(below, below.ledger)
  const { operations, seqNum: sequence } = signed.transaction
  const ran = operations.map((operation, index) => {
    const own = draftOn(draft, draft.ledger, draft.pledges)
    const place = { account: signed.source, sequence, index }
    const outcome = runOperation(operation, operationSource(operation, signed), own, place)
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

const metaOf = (txChangesBefore: xdr.LedgerEntryChange[], operations: xdr.LedgerEntryChange[][]) =>
  xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: xdr.ExtensionPoint.v0(),
      txChangesBefore,
      operations: operations.map(
        (changes) => new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes, events: [] }),
      ),
      txChangesAfter: [],
      sorobanMeta: null,
      events: [],
      diagnosticEvents: [],
    }),
  )

/** Applies a transaction whose fee has been charged. */
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
  const ran = refused === undefined ? runOperations(signed, below) : { result: refused, changes: [] }
  const result = resultOf(fee, outerResult(signed, ran.result))
  return { signed, result, meta: metaOf(changesBefore, ran.changes), feeChanges }
}
