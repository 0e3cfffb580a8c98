import { xdr } from '@stellar/stellar-sdk'
import { baseFee, baseReserve, type Network, protocolVersion, sha256, totalCoins } from '../network.ts'
import type { ClosingLedger } from './draft.ts'
import { fullRoom } from './ledger-room.ts'

const envelopeTypeScpValue = 4
const zeros = new Uint8Array(32)

const uint32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** The consensus value that the validators sign; here there is one. */
const agreedValue = ({ id, validator }: Network, txSetHash: Uint8Array, closeTime: bigint): xdr.StellarValue => {
  const signed = Buffer.concat([id, uint32(envelopeTypeScpValue), txSetHash, uint64(closeTime)])
  return new xdr.StellarValue({
    txSetHash,
    closeTime,
    upgrades: [],
    ext: xdr.StellarValueExt.stellarValueSigned(
      new xdr.LedgerCloseValueSignature({ nodeId: validator.nodeId, signature: validator.sign(signed) }),
    ),
  })
}

/** The hashes a header commits to, the fee pool in stroops, and the last offer id. */
export type HeaderContent = {
  readonly previousHash: Uint8Array
  readonly txSetHash: Uint8Array
  readonly resultHash: Uint8Array
  readonly stateHash: Uint8Array
  readonly feePool: bigint
  readonly lastId: bigint
}

/** A ledger's header and its hash, the SHA-256 of its XDR. The skip list stays empty. */
export const ledgerHeader = (
  network: Network,
  { sequence, closeTime, operations = fullRoom.classic, protocol = protocolVersion }: ClosingLedger,
  { previousHash, txSetHash, resultHash, stateHash, feePool, lastId }: HeaderContent,
): xdr.LedgerHeaderHistoryEntry => {
  const header = new xdr.LedgerHeader({
    ledgerVersion: protocol,
    previousLedgerHash: previousHash,
    scpValue: agreedValue(network, txSetHash, closeTime),
    txSetResultHash: resultHash,
    bucketListHash: stateHash,
    ledgerSeq: sequence,
    totalCoins,
    feePool,
    inflationSeq: 0,
    idPool: lastId,
    baseFee: Number(baseFee),
    baseReserve: Number(baseReserve),
    maxTxSetSize: operations,
    skipList: [zeros, zeros, zeros, zeros],
    ext: xdr.LedgerHeaderExt.v0(),
  })
  const ext = xdr.LedgerHeaderHistoryEntryExt.v0()
  return new xdr.LedgerHeaderHistoryEntry({ hash: sha256(header.toXdr()), header, ext })
}
