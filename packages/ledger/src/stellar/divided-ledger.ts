import { TransactionHash } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import type { ClosedLedger } from '../gateway.ts'
import { named } from '../named.ts'
import type { AppliedTransaction, SentTransaction } from './applied-transaction.ts'
import { hashOfResults, readApplied, readOn, sentTransactions } from './close-meta.ts'
import { closedLedger } from './extractor.ts'
import { type SettledTransaction, settledTransaction } from './incoming-payments/settled-transaction.ts'
import { firstNamed, type LedgerFrame, type Range, UNIT } from './opaque-ledger.ts'
import { readInParts, type XdrParts } from './xdr-parts.ts'

/** A transaction of a ledger as a node tells it by itself, its parts as base64 XDR. */
export type ToldTransaction = {
  readonly applicationOrder: number
  readonly txHash: string
  readonly envelopeXdr: string
  readonly resultXdr: string
  readonly resultMetaXdr: string
}

/** The bytes of a told transaction as they stand in its ledger: hash and result, and what it has changed. */
type Landmarks = { readonly txHash: string; readonly result: Buffer; readonly meta: Buffer; readonly envelope: Buffer }

/** What a reading consumes of bytes from `from` on. Null if it cannot be read. */
const endOf = (bytes: Uint8Array, from: number, read: (parts: XdrParts) => unknown): number | null => {
  try {
    const left = readInParts(bytes.subarray(from), (parts) => {
      read(parts)
      return parts.rest()
    })
    return bytes.length - left.length
  } catch {
    return null
  }
}

const standsAt = (bytes: Buffer, part: Buffer, at: number): boolean => bytes.subarray(at, at + part.length).equals(part)

const nextAligned = (bytes: Buffer, part: Buffer, from: number): number => {
  let at = bytes.indexOf(part, from)
  while (at >= 0 && at % UNIT !== 0) at = bytes.indexOf(part, at + 1)
  return at
}

/** The only place of a part behind `from`: of two, one could be written by whoever sent a transaction. */
const onlyPlace = (bytes: Buffer, part: Buffer, from: number): number => {
  const at = nextAligned(bytes, part, from)
  if (at < 0 || nextAligned(bytes, part, at + UNIT) >= 0)
    throw new Error('the ledger does not hold what the node tells')
  return at
}

/** Where a part begins that stands behind changes of entries, which may be in an unknown form. */
const behindChanges = (bytes: Buffer, from: number, part: Buffer): number => {
  const at = endOf(bytes, from, (parts) => parts.arrayOf(xdr.LedgerEntryChange))
  return at !== null && standsAt(bytes, part, at) ? at : onlyPlace(bytes, part, from)
}

const landmarksOf = (told: ReadonlyArray<ToldTransaction>, version: number): ReadonlyArray<Landmarks> => {
  const extension = Buffer.alloc(version === 2 ? UNIT : 0)
  return told.map(({ applicationOrder, txHash, envelopeXdr, resultXdr, resultMetaXdr }, index) => {
    if (applicationOrder !== index + 1) throw new Error('the node leaves transactions out')
    const result = Buffer.concat([extension, Buffer.from(txHash, 'hex'), Buffer.from(resultXdr, 'base64')])
    const [meta, envelope] = [Buffer.from(resultMetaXdr, 'base64'), Buffer.from(envelopeXdr, 'base64')]
    return { txHash, result, meta, envelope }
  })
}

/**
 * Where each transaction stands among the bytes from `begin` on. They follow upon each other, so nothing is left between them.
 * Whatever a transaction has written into what it changed, the next one is not looked for there.
 */
const placesOf = (
  { rest, version }: LedgerFrame,
  begin: number,
  landmarks: ReadonlyArray<Landmarks>,
): ReadonlyArray<Range> => {
  let from = begin
  return landmarks.map(({ result, meta }, index) => {
    if (!standsAt(rest, result, from)) throw new Error('the ledger holds another result than the node tells')
    const behindMeta = behindChanges(rest, from + result.length, meta) + meta.length
    const next = landmarks[index + 1]?.result
    const refunded =
      version === 2 ? endOf(rest, behindMeta, (parts) => parts.arrayOf(xdr.LedgerEntryChange)) : behindMeta
    const last = () => refunded ?? rest.length
    const to = next === undefined ? last() : version === 2 ? behindChanges(rest, behindMeta, next) : behindMeta
    const place = { from, to }
    from = to
    return place
  })
}

/** The transactions whose envelopes can be decoded. Throws if one is not that of its hash. */
const decodableEnvelopes = (
  landmarks: ReadonlyArray<Landmarks>,
  networkPassphrase: string,
): ReadonlyMap<string, SentTransaction> =>
  new Map(
    landmarks.flatMap(({ txHash, envelope }) => {
      const decoded = orNull(() => xdr.TransactionEnvelope.fromXdr(envelope))
      if (decoded === null) return []
      const [sent] = sentTransactions([decoded], networkPassphrase)
      if (sent?.[0] !== txHash) throw new Error(`the envelope of ${txHash} is another transaction's`)
      return [sent]
    }),
  )

const orNull = <A>(read: () => A): A | null => {
  try {
    return read()
  } catch {
    return null
  }
}

/** Where each decoded envelope stands in the set of transactions. A second copy of its bytes counts as undecoded. */
const envelopesIn = (set: Buffer, envelopes: ReadonlyArray<Buffer>): ReadonlyArray<Range> =>
  envelopes.map((envelope) => {
    const from = nextAligned(set, envelope, 0)
    if (from < 0) throw new Error('the set of transactions lacks one that the node tells')
    return { from, to: from + envelope.length }
  })

const settledIn = (
  bytes: Buffer,
  { from, to }: Range,
  version: number,
  sent: ReadonlyMap<string, SentTransaction>,
): SettledTransaction => {
  const read = (parts: XdrParts): AppliedTransaction => readApplied(parts, version, sent).applied
  return settledTransaction(readInParts(bytes.subarray(from, to), read))
}

/**
 * A ledger that cannot be decoded as a whole, from its transactions as the node tells them one by one. The header covers the set
 * of transactions, their hashes and their results. So none is left out, and each byte of the ledger belongs to a transaction that
 * was decoded, or is looked through by `names`. Only what a transaction has changed is the node's word, as ever.
 * Null if the node tells something else than the ledger holds.
 */
export const dividedLedger = (
  frame: LedgerFrame,
  told: ReadonlyArray<ToldTransaction>,
  networkPassphrase: string,
  cause: string,
): ClosedLedger | null => orNull(() => divide(frame, told, networkPassphrase, cause))

/** A hash, and the shortest result: the fee, a code and an extension. */
const shortestResult = 48

/** How many transactions a ledger holds; null if it has no room for as many as it says. */
export const countOfTransactions = ({ rest, setEnd }: LedgerFrame): number | null => {
  const room = rest.length - setEnd - UNIT
  const count = room < 0 ? Infinity : rest.readUInt32BE(setEnd)
  return count * shortestResult > room ? null : count
}

const divide = (
  frame: LedgerFrame,
  told: ReadonlyArray<ToldTransaction>,
  networkPassphrase: string,
  cause: string,
): ClosedLedger => {
  const { version, header, hash, rest, setEnd } = frame
  const landmarks = landmarksOf(told, version)
  const extension = version === 2 ? UNIT : 0
  const isWhole =
    countOfTransactions(frame) === landmarks.length &&
    hashOfResults(landmarks.map(({ result }) => result.subarray(extension))) === header.txSetResultHash.toString()
  if (!isWhole) throw new Error('the header names other results than the node tells')
  const places = placesOf(frame, setEnd + UNIT, landmarks)
  const sent = decodableEnvelopes(landmarks, networkPassphrase)

  const transactions: Array<SettledTransaction> = []
  const undecoded: Array<TransactionHash> = []
  const decoded: Array<Range> = []
  const envelopes: Array<Buffer> = []
  for (const [index, { txHash, envelope }] of landmarks.entries()) {
    const place = places[index]
    const settled = place === undefined ? null : orNull(() => settledIn(rest, place, version, sent))
    if (settled === null || place === undefined) undecoded.push(named(TransactionHash, txHash))
    else {
      transactions.push(settled)
      decoded.push(place)
      envelopes.push(envelope)
    }
  }
  decoded.push(...envelopesIn(rest.subarray(0, setEnd), envelopes))
  const tail = places.at(-1)?.to ?? setEnd + UNIT
  if (endOf(rest, tail, (parts) => readOn(parts, version)) === rest.length)
    decoded.push({ from: tail, to: rest.length })
  return {
    ...closedLedger({ header, hash, transactions }, networkPassphrase),
    undecoded: {
      protocol: header.ledgerVersion,
      cause,
      transactions: undecoded,
      names: (isOurs) => firstNamed(rest, decoded, isOurs),
    },
  }
}
