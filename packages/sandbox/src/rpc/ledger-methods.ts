import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { falsifiedLedgers } from '../faults/falsified-ledgers.ts'
import { toldLedgers } from '../faults/unknown-form.ts'
import { headerIn } from '../ledger/close-meta.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import { ttlKeyOf } from '../ledger/entry-keys.ts'
import { isContracts } from '../ledger/resource-fees.ts'
import { protocolVersion } from '../network.ts'
import type { LedgerReader, StoredLedger } from '../sandbox-api.ts'
import { base64, invalidParams, method } from './method.ts'
import { Page, pageStart } from './pagination.ts'

export const getLatestLedger = method(t.type({}), (_, { read }) => {
  const [ledger] = read.ledgersFrom(read.range().latest.sequence, 1)
  if (ledger === undefined) throw new Error('the latest ledger is missing')
  const { sequence, closeTime, hash, meta } = ledger
  return E.right({
    id: hash,
    protocolVersion,
    sequence,
    closeTime: closeTime.toString(),
    headerXdr: headerIn(meta).header.toXdr('base64'),
    metadataXdr: base64(meta),
  })
})

const ledgerInfo = ({ hash, sequence, closeTime, meta }: StoredLedger) => ({
  hash,
  sequence,
  ledgerCloseTime: closeTime.toString(),
  headerXdr: headerIn(meta).toXdr('base64'),
  metadataXdr: base64(meta),
})

/** A page after the last ledger is an error: a client at the end of the chain asks again later. */
export const getLedgers = method(Page, (page, context) => {
  const from = pageStart(page, context)
  if (E.isLeft(from)) return from
  const { oldest, latest } = context.read.range()
  const start = 'cursor' in from.right ? Number(from.right.cursor) + 1 : from.right.startLedger
  if ('cursor' in from.right && (start < oldest.sequence || start > latest.sequence))
    return invalidParams(
      `cursor ('${from.right.cursorText}') must be between the oldest ledger: ${oldest.sequence} and the latest ledger: ${latest.sequence} for this rpc instance`,
    )
  const { read } = context
  const { faults } = context.sandbox
  const ledgers = toldLedgers(falsifiedLedgers(read.ledgersFrom(start, from.right.limit), faults), read, faults)
  return E.right({
    ledgers: ledgers.map(ledgerInfo),
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.closeTime,
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: oldest.closeTime,
    cursor: (ledgers.at(-1)?.sequence ?? start - 1).toString(),
  })
})

const maxKeys = 200

const keyFrom = (text: string): E.Either<unknown, xdr.LedgerKey> =>
  E.tryCatch(
    () => xdr.LedgerKey.fromXdr(text, 'base64'),
    (cause) => cause,
  )

/**
 * The last ledger of an entry's life: 0 for an archived entry, undefined for one that never expires, 'ended' for an
 * expired temporary one.
 */
const lifetimeOf = (read: LedgerReader, key: xdr.LedgerKey): number | 'ended' | undefined => {
  const ttl = read.findEntry(xdr.LedgerKey.fromXdr(ttlKeyOf(key.toXdr('hex')), 'hex'))?.data
  if (ttl?.type !== 'ttl') return undefined
  const { liveUntilLedgerSeq } = ttl.ttl
  if (liveUntilLedgerSeq >= read.range().latest.sequence) return liveUntilLedgerSeq
  return isPersistent(key) ? 0 : 'ended'
}

/** Omits entries that do not exist. */
export const getLedgerEntries = method(t.type({ keys: t.array(t.string) }), ({ keys }, { read }) => {
  if (keys.length > maxKeys) return invalidParams(`key count (${keys.length}) exceeds maximum supported (${maxKeys})`)
  const entries = []
  for (const [index, text] of keys.entries()) {
    const key = keyFrom(text)
    if (E.isLeft(key)) return invalidParams(`cannot unmarshal key value ${text} at index ${index}`)
    if (key.right.type === 'ttl') return invalidParams('ledger ttl entries cannot be queried directly')
    const entry = read.findEntry(key.right)
    const liveUntilLedgerSeq = isContracts(key.right) ? lifetimeOf(read, key.right) : undefined
    if (entry === undefined || liveUntilLedgerSeq === 'ended') continue
    entries.push({
      key: key.right.toXdr('base64'),
      xdr: entry.data.toXdr('base64'),
      lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
      ...(liveUntilLedgerSeq !== undefined && { liveUntilLedgerSeq }),
    })
  }
  return E.right({ entries, latestLedger: read.range().latest.sequence })
})
