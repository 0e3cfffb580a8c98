import { type UnixMs, unixMs } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { type Address, accountIdOf, addressOf } from './addresses.ts'

/** The transaction that a payer signed: for a fee bump, the inner one. */
export type SignedTransaction = {
  readonly source: Address
  readonly memo: xdr.Memo
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly timeBounds: xdr.TimeBounds | null
  readonly accountSequence: bigint
  readonly fee: number
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
}

/** The last moment a `UnixMs` can name. */
const LAST_MOMENT = 8_640_000_000_000_000n

/** 0 means no bound; a bound beyond the range of our clock is none either. */
export const maxTimeOf = ({ timeBounds }: Pick<SignedTransaction, 'timeBounds'>): UnixMs | null => {
  const milliseconds = (timeBounds?.maxTime ?? 0n) * 1000n
  return milliseconds === 0n || milliseconds > LAST_MOMENT ? null : unixMs(Number(milliseconds))
}

const timeBoundsOf = (conditions: xdr.Preconditions): xdr.TimeBounds | null => {
  switch (conditions.type) {
    case 'precondNone':
      return null
    case 'precondTime':
      return conditions.timeBounds
    case 'precondV2':
      return conditions.v2.timeBounds
  }
}

const fromVersion1 = ({ tx, signatures }: xdr.TransactionV1Envelope): SignedTransaction => ({
  source: addressOf(tx.sourceAccount),
  memo: tx.memo,
  operations: tx.operations,
  timeBounds: timeBoundsOf(tx.cond),
  accountSequence: tx.seqNum,
  fee: tx.fee,
  signatures,
})

/** Unifies the three kinds of envelopes. */
export const signedTransaction = (envelope: xdr.TransactionEnvelope): SignedTransaction => {
  switch (envelope.type) {
    case 'envelopeTypeTxV0': {
      const { tx, signatures } = envelope.v0
      return {
        source: { account: accountIdOf(tx.sourceAccountEd25519), muxedId: null },
        memo: tx.memo,
        operations: tx.operations,
        timeBounds: tx.timeBounds,
        accountSequence: tx.seqNum,
        fee: tx.fee,
        signatures,
      }
    }
    case 'envelopeTypeTx':
      return fromVersion1(envelope.v1)
    case 'envelopeTypeTxFeeBump':
      return fromVersion1(envelope.feeBump.tx.innerTx.v1)
  }
}

/** The account that pays the fee: the fee bump's source, else the transaction's. */
export const feeSourceOf = (envelope: xdr.TransactionEnvelope): xdr.MuxedAccount => {
  switch (envelope.type) {
    case 'envelopeTypeTxV0':
      return xdr.MuxedAccount.keyTypeEd25519(envelope.v0.tx.sourceAccountEd25519)
    case 'envelopeTypeTx':
      return envelope.v1.tx.sourceAccount
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump.tx.feeSource
  }
}
