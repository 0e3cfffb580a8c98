import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { logicOf } from '../operations/index.ts'
import { accountIdOf } from '../operations/operation.ts'
import { availableBalance, findAccount } from './accounts.ts'
import { isAuthorized, isSignedByNewcomer } from './authorization.ts'
import { contractRefusal, declaredBy, resourceFeeOf } from './contract-transaction.ts'
import type { ClosingLedger, LedgerView } from './draft.ts'
import type { FeeBump, SignedTransaction } from './envelope.ts'
import { feeMissing, leastFee, outerResult } from './fees.ts'
import { isBadSequence, isTooEarly, isTooEarlyForAccount, isTooLate } from './preconditions.ts'
import { type SignatureChecker, signatureChecker } from './signatures.ts'

const code = xdr.TransactionResultResult

export const resultOf = (feeCharged: bigint, result: xdr.TransactionResultResult): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() })

/**
 * Why a transaction is invalid. `usesSequence` says that in a ledger it would still use its sequence number. `fee` is
 * the fee that would suffice, where the offered one is too low.
 */
export type Refusal = {
  readonly result: xdr.TransactionResultResult
  readonly usesSequence: boolean
  readonly fee?: bigint
}

/**
 * The ledger that a transaction is checked for, its least possible close time (`earliest`), and whether its fee is
 * already charged.
 */
export type CheckContext = { readonly ledger: ClosingLedger; readonly earliest: bigint; readonly isFeePaid: boolean }

const early = (result: xdr.TransactionResultResult) => E.left({ result, usesSequence: false })
const late = (result: xdr.TransactionResultResult) => E.left({ result, usesSequence: true })

/** Checks the transaction as a whole, in the network's order. */
export const checkEnvelope = (
  signed: SignedTransaction,
  view: LedgerView,
  checker: SignatureChecker,
  { ledger, earliest, isFeePaid }: CheckContext,
): E.Either<Refusal, xdr.AccountEntry> => {
  const { transaction, source, feeBump } = signed
  if (transaction.operations.length === 0) return early(code.txMissingOperation())
  if (transaction.cond.type === 'precondV2' && transaction.cond.v2.extraSigners.length > 0)
    return early(code.txNotSupported())
  const unfit = contractRefusal(signed)
  if (unfit !== undefined) return early(unfit)
  if (isTooEarly(transaction, ledger, earliest)) return early(code.txTooEarly())
  if (isTooLate(transaction, ledger)) return early(code.txTooLate())
  const isBumped = feeBump !== undefined
  if (!isBumped && BigInt(transaction.fee) < leastFee(signed, ledger)) return early(code.txInsufficientFee())
  const account = findAccount(view, source)
  if (account === undefined) return early(code.txNoAccount())
  if (isBadSequence(transaction, account, ledger)) return early(code.txBadSeq())
  if (isTooEarlyForAccount(transaction, account, ledger, earliest)) return late(code.txBadMinSeqAgeOrGap())
  if (!isAuthorized(checker, account, 'low')) return late(code.txBadAuth())
  const fee = isFeePaid ? 0n : BigInt(transaction.fee)
  return !isBumped && availableBalance(account) < fee ? late(code.txInsufficientBalance()) : E.right(account)
}

/** The account that an operation acts for: its own source, or the transaction's. */
export const operationSource = ({ sourceAccount }: xdr.Operation, { source }: SignedTransaction): xdr.PublicKey =>
  sourceAccount === null ? source : accountIdOf(sourceAccount)

/**
 * Checks that an operation's source has signed with enough weight. A source that does not exist yet needs only its own
 * key.
 */
export const checkOperationAuth = (
  operation: xdr.Operation,
  signed: SignedTransaction,
  view: LedgerView,
  checker: SignatureChecker,
): xdr.OperationResult | undefined => {
  const source = operationSource(operation, signed)
  const account = findAccount(view, source)
  if (account !== undefined)
    return isAuthorized(checker, account, logicOf(operation.body)?.level ?? 'medium')
      ? undefined
      : xdr.OperationResult.opBadAuth()
  if (operation.sourceAccount === null) return xdr.OperationResult.opNoAccount()
  return isSignedByNewcomer(checker, source) ? undefined : xdr.OperationResult.opBadAuth()
}

/** The results of a transaction that stops at one operation; all others report success. */
const stoppedAt = (operations: ReadonlyArray<xdr.Operation>, at: number, failure: xdr.OperationResult) =>
  code.txFailed(
    operations.map(({ body }, index) =>
      index === at ? failure : (logicOf(body)?.success ?? xdr.OperationResult.opNotSupported()),
    ),
  )

const checkInner = (
  signed: SignedTransaction,
  view: LedgerView,
  context: CheckContext,
): E.Either<Refusal, SignedTransaction> => {
  const checker = signatureChecker(signed.innerHash, signed.signatures)
  const envelope = checkEnvelope(signed, view, checker, context)
  if (E.isLeft(envelope)) return envelope
  const { operations } = signed.transaction
  for (const [index, operation] of operations.entries()) {
    const logic = logicOf(operation.body)
    if (logic === undefined) return late(stoppedAt(operations, index, xdr.OperationResult.opNotSupported()))
    const unauthorized = checkOperationAuth(operation, signed, view, checker)
    if (unauthorized !== undefined) return late(stoppedAt(operations, index, unauthorized))
    const checked = logic.check(operationSource(operation, signed), declaredBy(signed.transaction))
    if (E.isLeft(checked)) return late(stoppedAt(operations, index, checked.left))
  }
  return checker.allUsed() ? E.right(signed) : late(code.txBadAuthExtra())
}

/** Checks the outer transaction of a fee bump. */
const checkFeeBump = (
  signed: SignedTransaction,
  feeBump: FeeBump,
  view: LedgerView,
  { ledger }: CheckContext,
): Refusal | undefined => {
  const refusal = (result: xdr.TransactionResultResult, fee?: bigint): Refusal => ({
    result,
    usesSequence: false,
    ...(fee === undefined ? {} : { fee }),
  })
  if (feeBump.fee < 0n) return refusal(code.txMalformed(), 0n)
  if (feeBump.fee < leastFee(signed, ledger)) return refusal(code.txInsufficientFee())
  const { fee, operations } = signed.transaction
  const inner = { fee: BigInt(fee) - resourceFeeOf(signed.transaction), operations: operations.length }
  const missing = feeMissing(signed, inner, 1n)
  if (missing !== undefined) return refusal(code.txInsufficientFee(), missing)
  const payer = findAccount(view, feeBump.feeSource)
  if (payer === undefined) return refusal(code.txNoAccount())
  const checker = signatureChecker(signed.hash, feeBump.signatures)
  if (!isAuthorized(checker, payer, 'low')) return refusal(code.txBadAuth())
  if (availableBalance(payer) < feeBump.fee) return refusal(code.txInsufficientBalance())
  return checker.allUsed() ? undefined : refusal(code.txBadAuthExtra())
}

/** All checks before a transaction enters the queue, or a queued one enters a ledger. */
export const checkTransaction = (
  signed: SignedTransaction,
  view: LedgerView,
  context: CheckContext,
): E.Either<Refusal, SignedTransaction> => {
  const refused = signed.feeBump === undefined ? undefined : checkFeeBump(signed, signed.feeBump, view, context)
  if (refused !== undefined) return E.left(refused)
  const checked = checkInner(signed, view, context)
  if (E.isRight(checked)) return checked
  return E.left({ ...checked.left, result: outerResult(signed, checked.left.result) })
}
