import type { Credit } from '@quittance/domain'
import type { Scope } from '@quittance/projections'

type Movement = Pick<Credit, 'transactionHash' | 'operationIndex' | 'ordinal'>

/** Names a credit for ever. The first of an operation has the operation's name. */
export const creditName = (
  { environment }: Pick<Scope, 'environment'>,
  { transactionHash, operationIndex, ordinal }: Movement,
): string => {
  const first = `${environment}/${transactionHash}/${operationIndex}`
  return ordinal === undefined ? first : `${first}/${ordinal}`
}
