import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
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
 * Why a transaction may not run. `usesSequence` says that it is its account's turn all the same: were it in a ledger,
 * its sequence number would be spent. `fee` is what would have had to be offered, where that is the reason.
 */
export type Refusal = {
  readonly result: xdr.TransactionResultResult
  readonly usesSequence: boolean
  readonly fee?: bigint
}

/**
 * Where a transaction is looked at: the ledger it would be in, the least close time it must bear (`earliest`), and
 * whether its fee has been taken already.
 */
export type Moment = { readonly ledger: ClosingLedger; readonly earliest: bigint; readonly isFeePaid: boolean }

const early = (result: xdr.TransactionResultResult) => E.left({ result, usesSequence: false })
const late = (result: xdr.TransactionResultResult) => E.left({ result, usesSequence: true })

/** What concerns the transaction as a whole, in the order in which the network looks at it. */
export const checkEnvelope = (
  signed: SignedTransaction,
  view: LedgerView,
  checker: SignatureChecker,
  { ledger, earliest, isFeePaid }: Moment,
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

/** The account an operation acts for: its own source, or else the transaction's. */
export const operationSource = ({ sourceAccount }: xdr.Operation, { source }: SignedTransaction): xdr.PublicKey =>
  sourceAccount === null ? source : accountIdOf(sourceAccount)

/** Whether an operation's source has signed with enough weight. A source yet to be created needs its own key only. */
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

/** The results of a transaction that stops at one operation: the others are noted as if nothing were wrong with them. */
const stoppedAt = (operations: ReadonlyArray<xdr.Operation>, at: number, failure: xdr.OperationResult) =>
  code.txFailed(
    operations.map(({ body }, index) =>
      index === at ? failure : (logicOf(body)?.success ?? xdr.OperationResult.opNotSupported()),
    ),
  )

const checkInner = (
  signed: SignedTransaction,
  view: LedgerView,
  moment: Moment,
): E.Either<Refusal, SignedTransaction> => {
  const checker = signatureChecker(signed.innerHash, signed.signatures)
  const envelope = checkEnvelope(signed, view, checker, moment)
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

/** What concerns whoever pays for another's transaction. */
const checkFeeBump = (
  signed: SignedTransaction,
  feeBump: FeeBump,
  view: LedgerView,
  { ledger }: Moment,
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

/** All that a node checks before it takes a transaction into its queue, or a queued one into a ledger. */
export const checkTransaction = (
  signed: SignedTransaction,
  view: LedgerView,
  moment: Moment,
): E.Either<Refusal, SignedTransaction> => {
  const refused = signed.feeBump === undefined ? undefined : checkFeeBump(signed, signed.feeBump, view, moment)
  if (refused !== undefined) return E.left(refused)
  return pipe(
    checkInner(signed, view, moment),
    E.mapLeft((refusal) => ({ ...refusal, result: outerResult(signed, refusal.result) })),
  )
}
