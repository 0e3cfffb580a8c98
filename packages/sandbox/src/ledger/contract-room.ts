import { ledgerLimits } from './contract-settings.ts'
import { declaredBy } from './contract-transaction.ts'
import type { SignedTransaction } from './envelope.ts'

/**
 * Counts what the contract transactions of one ledger declare. Answers whether one more goes in with all it declares;
 * classic ones always do. `transactions`: how many of them at the most.
 */
export const contractRoom = (transactions = ledgerLimits.transactions): ((signed: SignedTransaction) => boolean) => {
  const left = { ...ledgerLimits, transactions }
  return ({ transaction }) => {
    const resources = declaredBy(transaction)?.resources
    if (resources === undefined) return true
    const written = resources.footprint.readWrite.length
    if (left.transactions < 1 || left.instructions < resources.instructions || left.writeEntries < written) return false
    left.transactions -= 1
    left.instructions -= resources.instructions
    left.writeEntries -= written
    return true
  }
}
