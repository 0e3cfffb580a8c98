import { fieldsOf, textIn } from '../fields.ts'
import { highestFeeStroops } from './check-payment.ts'
import type { Transaction } from './sdk.ts'

/** Why a transaction does anything but let this wallet hold the asset, as a sentence; null when it does just that. */
export const trustlineProblem = (transaction: Transaction, payer: string, assetId: string): string | null => {
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0 || operation.type !== 'changeTrust')
    return 'It does something besides adding the asset.'
  const { line, source = transaction.source, limit } = fieldsOf(operation)
  if (transaction.source !== payer || source !== payer) return 'It is sent by another account.'
  if (String(line) !== assetId) return 'It adds another asset.'
  if (textIn({ limit }, 'limit') === '0.0000000') return 'It removes the asset.'
  return Number(transaction.fee) <= highestFeeStroops ? null : 'Its fee is too high.'
}
