import type { AccountId, AssetId } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { addressOf } from './addresses.ts'
import { assetIdOf } from './assets.ts'
import { signedTransaction } from './envelope.ts'

/** An account's wish to hold an asset. */
export type TrustlineRequest = { readonly account: AccountId; readonly assetId: AssetId }

const requestIn = (envelopeXdr: string): TrustlineRequest | null => {
  const { source, operations } = signedTransaction(xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'))
  const [operation, ...others] = operations
  if (operation === undefined || others.length > 0 || operation.body.type !== 'changeTrust') return null
  const { line, limit } = operation.body.changeTrustOp
  const { sourceAccount } = operation
  const isOwn = sourceAccount === null || addressOf(sourceAccount).account === source.account
  return line.type === 'assetTypePoolShare' || limit === 0n || !isOwn
    ? null
    : { account: source.account, assetId: assetIdOf(line) }
}

/**
 * What an envelope asks for if it sets one trustline of its source, and does nothing else; null for others, malformed ones
 * among them. Anyone may have sent it: never throws.
 */
export const readTrustline = (envelopeXdr: string): TrustlineRequest | null => {
  try {
    return requestIn(envelopeXdr)
  } catch {
    return null
  }
}
