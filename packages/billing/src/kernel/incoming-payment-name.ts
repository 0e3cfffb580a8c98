import type { Scope } from '@quittance/projections'

type Movement = {
  readonly transactionHash: string
  readonly operationIndex: number | null
  readonly ordinal?: number
}

/** The permanent name of an incoming payment. The first of an operation has the operation's name. */
export const incomingPaymentName = (
  { environment }: Pick<Scope, 'environment'>,
  { transactionHash, operationIndex, ordinal }: Movement,
): string => {
  const first = `${environment}/${transactionHash}/${operationIndex}`
  return ordinal === undefined ? first : `${first}/${ordinal}`
}
