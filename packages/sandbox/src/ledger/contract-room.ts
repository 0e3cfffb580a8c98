import { ledgerLimits } from './contract-settings.ts'
import { declaredBy } from './contract-transaction.ts'
import type { SignedTransaction } from './envelope.ts'

/**
 * Counts the resources that one ledger's contract transactions declare. Answers whether the next one still fits;
 * classic transactions always do.
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
