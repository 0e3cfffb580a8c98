import type { xdr } from '@stellar/stellar-sdk'

/** The network's result codes of a transaction and its operations; for a fee bump, those of the inner transaction. */
export type ResultCodes = {
  readonly code: xdr.InnerTransactionResultResult['type']
  readonly operationCodes: ReadonlyArray<string>
}

const operationCode = (result: xdr.OperationResult): string =>
  result.type === 'opInner' ? result.value.value.type : result.type

const codesOf = (result: xdr.TransactionResultResult | xdr.InnerTransactionResultResult): ResultCodes => {
  if (result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed')
    return codesOf(result.value.result.result)
  const operations = result.type === 'txSuccess' || result.type === 'txFailed' ? result.value : []
  return { code: result.type, operationCodes: operations.map(operationCode) }
}

export const resultCodes = ({ result }: xdr.TransactionResult): ResultCodes => codesOf(result)
