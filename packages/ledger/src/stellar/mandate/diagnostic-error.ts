import type { TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { SettledTransaction } from '../incoming-payments/settled-transaction.ts'

const contractErrorIn = ({ event }: xdr.DiagnosticEvent): number | null => {
  const [name, error] = event.body.v0.topics
  if (name?.type !== 'scvSymbol' || name.value !== 'error' || error?.type !== 'scvError') return null
  return error.error.type === 'sceContract' ? error.error.contractCode : null
}

/**
 * The number with which a contract refused a failed transaction: that of the last error in the node's own log, which
 * ended the outermost call. Null where the node kept no log, or no contract gave a number.
 */
export const contractErrorAmong = (
  transactions: ReadonlyArray<SettledTransaction>,
  hash: TransactionHash,
): number | null => {
  const failed = transactions.find(({ transactionHash, innerHash }) => hash === transactionHash || hash === innerHash)
  const errors = failed?.diagnosticEvents.map(contractErrorIn).filter((error) => error !== null)
  return errors?.at(-1) ?? null
}
