import { fieldsOf, textIn } from '../fields.ts'
import { highestFeeStroops } from './check-payment.ts'
import type { Transaction } from './sdk.ts'
import { walletWords } from './wallet-words.ts'

/** Why a transaction does anything but let this wallet hold the asset, as a sentence; null when it does just that. */
export const trustlineProblem = (transaction: Transaction, payer: string, assetId: string): string | null => {
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0 || operation.type !== 'changeTrust')
    return walletWords.problems.besidesAsset
  const { line, source = transaction.source, limit } = fieldsOf(operation)
  if (transaction.source !== payer || source !== payer) return walletWords.problems.sentByOther
  if (String(line) !== assetId) return walletWords.problems.addsOther
  if (textIn({ limit }, 'limit') === '0.0000000') return walletWords.problems.removesAsset
  return Number(transaction.fee) <= highestFeeStroops ? null : walletWords.problems.highFee
}
