import { type Stroops, stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'

/** The most that a transaction offers, in stroops: for inclusion, and for the resources of its contract call. */
export type OfferedFees = { readonly inclusion: Stroops; readonly resources: Stroops }

/** The fees of a transaction that was built here (base64 XDR); throws for anything else. */
export const offeredFees = (envelopeXdr: string): OfferedFees => {
  const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
  if (envelope.type !== 'envelopeTypeTx') throw new Error(`no transaction is built as ${envelope.type}`)
  const { fee, ext } = envelope.v1.tx
  const resources = ext.type === 'sorobanData' ? ext.sorobanData.resourceFee : 0n
  return { inclusion: stroops(BigInt(fee) - resources), resources: stroops(resources) }
}
