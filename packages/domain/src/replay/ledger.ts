import type { LedgerIngestion } from '../ledger-ingestion/index.ts'
import { intentAt, type LedgerTransaction } from '../ledger-transaction/index.ts'
import type { Behind } from './behind.ts'

export const behindLedgerIngestion: Behind<typeof LedgerIngestion> = (_, { type, data }) => {
  switch (type) {
    case 'FollowingResumed':
      return [{ type: 'ResumeFollowing', ...data, latest: data.from, isForced: true }]
    case 'TransactionLeftUncounted':
      return [{ type: 'LeaveUncounted', ...data }]
    case 'LedgerPassedOver':
      return [{ type: 'PassOver', ...data }]
    case 'TransactionsPassedOver': {
      // Of many, only the first are named.
      const { count, transactions, ...passed } = data
      const [first] = transactions
      const unnamed = first === undefined ? [] : Array.from({ length: count - transactions.length }, () => first)
      return [{ type: 'PassOver', ...passed, transactions: [...transactions, ...unnamed] }]
    }
    case 'PassedOverCompared':
      return [{ type: 'ComparePassedOver', ...data }]
    case 'NetworkResetFound':
      return [{ type: 'FindReset', ...data }]
    case 'NetworkResetDisproved':
      return [{ type: 'DisproveReset', ...data }]
    case 'NetworkResetBegun':
      return [{ type: 'BeginReset', ...data, isForced: data.isForced ?? false }]
    case 'NetworkResetCompleted':
      return [{ type: 'CompleteReset', ...data }]
  }
}

export const behindLedgerTransaction: Behind<typeof LedgerTransaction> = (state, { type, data }) => {
  switch (type) {
    case 'TransactionPrepared':
      return [{ type: 'PrepareTransaction', ...data }]
    case 'TransactionReleased':
      return [{ type: 'ReleaseTransaction' }]
    case 'TransactionWithdrawn':
      return [{ type: 'WithdrawTransaction', ...data }]
    case 'FeeBumped': {
      const newest = state.status === 'absent' ? undefined : state.bumps.at(-1)
      return [{ type: 'BumpFee', ...data, replaces: newest?.transactionHash ?? null }]
    }
    case 'FeeBumpFailed':
      return [{ type: 'RecordBumpFailure', ...data }]
    case 'SubmissionRefused':
      return [{ type: 'RecordRefusal', ...data }]
    case 'TransactionSucceeded':
      return [{ type: 'RecordSuccess', ...data }]
    case 'TransactionFailed':
      return [{ type: 'RecordFailure', ...data }]
    case 'OperationReassigned': {
      const { operationIndex, intentId: to } = data
      const from = state.status === 'absent' ? null : intentAt(state.details, operationIndex)
      return [{ type: 'ReassignOperation', operationIndex, from, to }]
    }
    case 'TransactionDied':
      return [{ type: 'RecordDeath', ...data }]
    case 'TransactionDecided':
      return [{ type: 'DecideEnd', ...data }]
    case 'TransactionClosed':
      return [{ type: 'CloseTransaction' }]
  }
}
