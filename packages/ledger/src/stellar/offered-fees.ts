import { type Stroops, stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'

/** What a transaction offers at most, in stroops: to be in a ledger, and for what its contract call uses there. */
export type OfferedFees = { readonly inclusion: Stroops; readonly resources: Stroops }

/** Of a transaction that was built here (base64 XDR); throws for anything else. */
export const offeredFees = (envelopeXdr: string): OfferedFees => {
  const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
  if (envelope.type !== 'envelopeTypeTx') throw new Error(`no transaction is built as ${envelope.type}`)
  const { fee, ext } = envelope.v1.tx
  const resources = ext.type === 'sorobanData' ? ext.sorobanData.resourceFee : 0n
  return { inclusion: stroops(BigInt(fee) - resources), resources: stroops(resources) }
}
