import { xdr } from '@stellar/stellar-sdk'
import { assetOf, isAssetValid, isIssued } from './assets.ts'
import { transactionLimits } from './contract-settings.ts'
import type { SignedTransaction } from './envelope.ts'
import { diskReads, nonRefundableFee, restoredBy } from './resource-fees.ts'
import { isIssuer } from './trustlines.ts'

const code = xdr.TransactionResultResult

const contractOperations: ReadonlyArray<xdr.OperationBody['type']> = [
  'invokeHostFunction',
  'extendFootprintTtl',
  'restoreFootprint',
]

const isContractOperation = ({ body }: xdr.Operation): boolean => contractOperations.includes(body.type)

/** The resources that a contract transaction declares; undefined for a classic one. */
export const declaredBy = ({ ext }: xdr.Transaction): xdr.SorobanTransactionData | undefined =>
  ext.type === 'sorobanData' ? ext.sorobanData : undefined

/** The part of the offered fee that pays for resources, in stroops. */
export const resourceFeeOf = (transaction: xdr.Transaction): bigint => declaredBy(transaction)?.resourceFee ?? 0n

/** The inputs of the resource fee: the envelope's size in bytes, and whether it restores entries. */
export const measureOf = ({ transaction, signatures }: Pick<SignedTransaction, 'transaction' | 'signatures'>) => ({
  size: xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx: transaction, signatures: [...signatures] }),
  ).toXdr().length,
  isRestoration: transaction.operations[0]?.body.type === 'restoreFootprint',
})

const isKeyValid = (key: xdr.LedgerKey): boolean => {
  if (key.toXdr().length > transactionLimits.keyBytes) return false
  switch (key.type) {
    case 'account':
    case 'contractData':
    case 'contractCode':
      return true
    case 'trustline': {
      const { asset, accountId } = key.trustLine
      return isIssued(asset) && isAssetValid(assetOf(asset)) && !isIssuer(accountId, asset)
    }
    case 'offer':
    case 'data':
    case 'claimableBalance':
    case 'liquidityPool':
    case 'configSetting':
    case 'ttl':
      return false
  }
}

/** Whether the entry under a key can be archived, rather than just expire. */
export const isPersistent = (key: xdr.LedgerKey | undefined): boolean =>
  key?.type === 'contractCode' || (key?.type === 'contractData' && key.contractData.durability.name === 'persistent')

const areRestorationsValid = (restored: ReadonlyArray<number>, readWrite: ReadonlyArray<xdr.LedgerKey>): boolean =>
  restored.every((index, at) => index > (restored[at - 1] ?? -1) && isPersistent(readWrite[index]))

const isFootprintValid = ({ readOnly, readWrite }: xdr.LedgerFootprint): boolean => {
  const keys = [...readOnly, ...readWrite]
  const distinct = new Set(keys.map((key) => key.toXdr('hex')))
  return keys.length <= transactionLimits.footprintKeys && distinct.size === keys.length && keys.every(isKeyValid)
}

/** Contract calls may not use a memo or a muxed account, since contracts would not see them. */
const isPlain = ({ memo, sourceAccount, operations: [operation] }: xdr.Transaction): boolean =>
  operation?.body.type !== 'invokeHostFunction' ||
  (memo.type === 'memoNone' &&
    sourceAccount.type === 'keyTypeEd25519' &&
    (operation.sourceAccount ?? sourceAccount).type === 'keyTypeEd25519')

const areResourcesValid = (declared: xdr.SorobanTransactionData, measure: ReturnType<typeof measureOf>): boolean => {
  const { footprint, instructions, diskReadBytes, writeBytes } = declared.resources
  return (
    instructions <= transactionLimits.instructions &&
    diskReadBytes <= transactionLimits.diskReadBytes &&
    writeBytes <= transactionLimits.writeBytes &&
    footprint.readWrite.length <= transactionLimits.writeEntries &&
    diskReads(declared, measure.isRestoration) <= transactionLimits.diskReadEntries &&
    measure.size <= transactionLimits.sizeBytes &&
    isFootprintValid(footprint) &&
    areRestorationsValid(restoredBy(declared), footprint.readWrite)
  )
}

/**
 * Why the network refuses a transaction with contract operations: it must hold a single operation and declare its
 * resources, within the limits and paid for.
 */
export const contractRefusal = (signed: SignedTransaction): xdr.TransactionResultResult | undefined => {
  const { transaction } = signed
  const { operations } = transaction
  const declared = declaredBy(transaction)
  if (!operations.some(isContractOperation)) return declared === undefined ? undefined : code.txMalformed()
  if (operations.length > 1 || declared === undefined || declared.resourceFee < 0n) return code.txMalformed()
  const measure = measureOf(signed)
  const isPaidFor =
    declared.resourceFee <= BigInt(transaction.fee) && declared.resourceFee >= nonRefundableFee(declared, measure)
  return isPaidFor && isPlain(transaction) && areResourcesValid(declared, measure) ? undefined : code.txSorobanInvalid()
}
