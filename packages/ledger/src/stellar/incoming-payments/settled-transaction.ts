import type { TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { Memo } from '../../incoming-payment.ts'
import { type Address, addressOf } from '../addresses.ts'
import type { AppliedTransaction, EntryChanges } from '../applied-transaction.ts'
import { feeSourceOf, signedTransaction } from '../envelope.ts'
import { memoOf } from '../memo.ts'
import { type RawBalanceChange, rawBalanceChanges } from './balance-changes.ts'

/**
 * An operation that took effect: its request, result and effects. It keeps only what naming needs of entries and
 * events: `claimable` are the claimable balances that it found, `events` and `returnValue` belong to a contract call.
 */
export type SettledOperation = {
  readonly source: Address
  readonly body: xdr.OperationBody
  readonly result: xdr.OperationResultTr
  readonly claimable: ReadonlyArray<xdr.LedgerEntry>
  readonly balances: ReadonlyArray<RawBalanceChange>
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly returnValue: xdr.ScVal | null
}

/**
 * A transaction of a closed ledger by its effects. A failed one has no operations, whatever its operations' own results
 * say: its attempt was rolled back. It pays its fee all the same. `diagnosticEvents` are the node's log of a failed
 * contract call.
 */
export type SettledTransaction = {
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly envelope: xdr.TransactionEnvelope
  readonly result: xdr.TransactionResult
  readonly feeSource: xdr.MuxedAccount
  readonly memo: Memo
  readonly fee: ReadonlyArray<RawBalanceChange>
  readonly before: ReadonlyArray<RawBalanceChange>
  readonly operations: ReadonlyArray<SettledOperation>
  readonly after: ReadonlyArray<RawBalanceChange>
  readonly diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>
}

/** The operations' results of a successful transaction; null for a failed one. */
const successfulResults = ({ result, innerHash }: AppliedTransaction): ReadonlyArray<xdr.OperationResult> | null => {
  const ended = result.result
  if (ended.type !== 'txFeeBumpInnerSuccess' && ended.type !== 'txFeeBumpInnerFailed') {
    if (ended.type !== 'txSuccess') return null
    if (innerHash !== null) throw new Error('a fee bump answers as if it were none')
    return ended.results
  }
  const { transactionHash, result: inner } = ended.innerResultPair
  if (transactionHash.toString() !== innerHash) throw new Error('a fee bump answers for another transaction')
  const results = inner.result.type === 'txSuccess' ? inner.result.results : null
  if ((results !== null) !== (ended.type === 'txFeeBumpInnerSuccess'))
    throw new Error('a fee bump and its transaction ended differently')
  return results
}

/** The network gives a passive offer the result of any other offer. */
const isAnswerTo = ({ type }: xdr.OperationBody, result: xdr.OperationResultTr): boolean =>
  result.type === type || (type === 'createPassiveSellOffer' && result.type === 'manageSellOffer')

const claimableIn = (changes: EntryChanges): ReadonlyArray<xdr.LedgerEntry> =>
  changes.flatMap((change) =>
    change.type === 'ledgerEntryState' && change.state.data.type === 'claimableBalance' ? [change.state] : [],
  )

const settledOperations = (
  transaction: AppliedTransaction,
  results: ReadonlyArray<xdr.OperationResult>,
): ReadonlyArray<SettledOperation> => {
  const { source, operations } = signedTransaction(transaction.envelope)
  if (results.length !== operations.length || transaction.operations.length !== operations.length)
    throw new Error(`${transaction.transactionHash} has ${operations.length} operations, but not as many outcomes`)
  return operations.map(({ sourceAccount, body }, index) => {
    const result = results[index]
    const applied = transaction.operations[index]
    if (applied === undefined || result?.type !== 'opInner' || !isAnswerTo(body, result.tr))
      throw new Error(`operation ${index} of ${transaction.transactionHash} has no outcome of its own`)
    return {
      source: sourceAccount === null ? source : addressOf(sourceAccount),
      body,
      result: result.tr,
      claimable: claimableIn(applied.changes),
      balances: rawBalanceChanges(applied.changes),
      events: body.type === 'invokeHostFunction' ? applied.events : [],
      returnValue: transaction.returnValue,
    }
  })
}

/**
 * Pairs a transaction's requests with their effects.
 * Throws where the two contradict each other, or balances change from an unknown state.
 */
export const settledTransaction = (transaction: AppliedTransaction): SettledTransaction => {
  const { transactionHash, innerHash, envelope, feeChanges, changesBefore, changesAfter } = transaction
  const results = successfulResults(transaction)
  return {
    transactionHash,
    innerHash,
    envelope,
    result: transaction.result,
    feeSource: feeSourceOf(envelope),
    memo: memoOf(signedTransaction(envelope).memo),
    fee: rawBalanceChanges(feeChanges),
    before: rawBalanceChanges(changesBefore),
    operations: results === null ? [] : settledOperations(transaction, results),
    after: rawBalanceChanges(changesAfter),
    diagnosticEvents: results === null ? transaction.diagnosticEvents : [],
  }
}
