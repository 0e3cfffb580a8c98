import { createHash } from 'node:crypto'
import { ContractId, LedgerSequence, unixMs } from '@quittance/domain'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import type { Naming, OpaqueLedger } from '../gateway.ts'
import { named } from '../named.ts'
import { READABLE_PROTOCOL } from '../protocol.ts'
import { accountOfKey } from './strkey.ts'
import { sha256 } from './transaction-hash.ts'
import { readInParts, type XdrParts } from './xdr-parts.ts'

const ID_LENGTH = 32
/** Every item of XDR takes a multiple of four bytes (RFC 4506, section 3). */
export const UNIT = 4

/**
 * What is known of a ledger whose meta cannot be decoded: its header, whose hash was recomputed, and the bytes behind it. These
 * begin with the set of transactions that the header names, up to `setEnd`.
 */
export type LedgerFrame = {
  readonly version: number
  readonly header: xdr.LedgerHeader
  readonly hash: string
  readonly rest: Buffer
  readonly setEnd: number
}

/** A ledger's meta up to its header. The rest is skipped. */
const readHeader = (parts: XdrParts) => {
  const version = parts.uint32()
  if (version < 1 || version > 2) throw new Error(`a ledger in an unknown form, ${version}`)
  parts.one(xdr.LedgerCloseMetaExt)
  return { version, entry: parts.one(xdr.LedgerHeaderHistoryEntry), rest: parts.rest() }
}

/**
 * Where the set of transactions that a header names ends, if the bytes begin with it: nothing here can decode it. So the header,
 * which the chain covers, covers all that was sent in the ledger.
 */
const endOfSet = (bytes: Uint8Array, setHash: string): number | null => {
  const hash = createHash('sha256')
  for (let end = UNIT; end <= bytes.length; end += UNIT) {
    hash.update(bytes.subarray(end - UNIT, end))
    if (hash.copy().digest('hex') === setHash) return end
  }
  return null
}

/** Null unless the header can be decoded, has the hash that it states, and covers the transactions. */
export const ledgerFrame = (metaXdr: string): LedgerFrame | null => {
  try {
    const { version, entry, rest } = readInParts(Buffer.from(metaXdr, 'base64'), readHeader)
    const { header } = entry
    const hash = sha256(header.toXdr()).toString('hex')
    const setEnd = endOfSet(rest, header.scpValue.txSetHash.toString())
    if (hash !== entry.hash.toString() || setEnd === null) return null
    return { version, header, hash, rest: Buffer.from(rest), setEnd }
  } catch {
    return null
  }
}

/** An undecodable ledger of a protocol that this release does not know. One of a known protocol is the node's fault: null. */
export const opaqueLedger = ({ header, hash, rest }: LedgerFrame, cause: string): OpaqueLedger | null =>
  header.ledgerVersion <= READABLE_PROTOCOL
    ? null
    : {
        sequence: named(LedgerSequence, header.ledgerSeq),
        closedAt: unixMs(Number(header.scpValue.closeTime) * 1000),
        hash,
        previousHash: header.previousLedgerHash.toString(),
        protocol: header.ledgerVersion,
        cause,
        names: (isOurs) => firstNamed(rest, [], isOurs),
      }

/** A range of bytes, up to but without `to`. */
export type Range = { readonly from: number; readonly to: number }

/**
 * The first account or contract of ours among the bytes, apart from ids that lie wholly in a `decoded` range. Whatever touches an
 * account or a contract has its 32 bytes in its transaction or among the changed entries, at the start of an item.
 */
export const firstNamed = (
  bytes: Uint8Array,
  decoded: ReadonlyArray<Range>,
  isOurs: Parameters<Naming>[0],
): string | null => {
  const ranges = [...decoded].sort((one, other) => one.from - other.from)
  const seen = new Set<string>()
  let next = 0
  for (let start = 0; start + ID_LENGTH <= bytes.length; start += UNIT) {
    while ((ranges[next]?.to ?? Infinity) < start + ID_LENGTH) next++
    if ((ranges[next]?.from ?? Infinity) <= start) continue
    const id = bytes.subarray(start, start + ID_LENGTH)
    const known = Buffer.from(id).toString('latin1')
    if (seen.has(known)) continue
    seen.add(known)
    const account = accountOfKey(id)
    if (isOurs(account)) return account
    const contract = named(ContractId, StrKey.encodeContract(id))
    if (isOurs(contract)) return contract
  }
  return null
}
