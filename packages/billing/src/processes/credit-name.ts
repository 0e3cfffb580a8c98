import type { Credit } from '@quittance/domain'
import type { Scope } from '@quittance/projections'

/** Names a credit for ever. The first of an operation has the operation's name. */
export const creditName = ({ environment }: Scope, { transactionHash, operationIndex, ordinal }: Credit): string => {
  const first = `${environment}/${transactionHash}/${operationIndex}`
  return ordinal === undefined ? first : `${first}/${ordinal}`
}
