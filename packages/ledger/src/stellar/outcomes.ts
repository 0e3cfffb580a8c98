import { stroops, type TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { LedgerHead } from '../gateway.ts'
import type { TransactionOutcome } from '../outcome.ts'
import { addressOf } from './addresses.ts'
import type { SettledTransaction } from './incoming-payments/settled-transaction.ts'
import { resultCodes } from './result-codes.ts'

const tagOf = ({ type }: xdr.TransactionResultResult, isFeeBump: boolean): TransactionOutcome['_tag'] => {
  if (type === 'txSuccess' || type === 'txFeeBumpInnerSuccess') return 'Succeeded'
  return isFeeBump && type !== 'txFeeBumpInnerFailed' ? 'BumpFailed' : 'Failed'
}

/** The outcomes of a ledger's transactions that are ours by either hash, in order of application. */
export const outcomesAmong = (
  transactions: ReadonlyArray<SettledTransaction>,
  { sequence, closedAt }: LedgerHead,
  isOurs: (hash: TransactionHash) => boolean,
): ReadonlyArray<TransactionOutcome> =>
  transactions
    .filter(({ transactionHash, innerHash }) => isOurs(transactionHash) || (innerHash !== null && isOurs(innerHash)))
    .map(({ transactionHash, innerHash, result, feeSource }) => ({
      _tag: tagOf(result.result, innerHash !== null),
      transactionHash,
      innerHash,
      ledger: sequence,
      closedAt,
      ...resultCodes(result),
      feeCharged: stroops(result.feeCharged),
      feeSource: addressOf(feeSource).account,
    }))
