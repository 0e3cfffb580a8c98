import { xdr } from '@stellar/stellar-sdk'
import { bookOn, type OrderBook } from '../exchange/book.ts'
import { dataOf, type EntryData, type EntryKey, keyOf } from './entry-keys.ts'
import type { Kind } from './fee-bid.ts'

/** Reads the entries of a ledger. */
export interface LedgerView extends OrderBook {
  readonly find: (key: EntryKey) => xdr.LedgerEntry | undefined
  /** The last number given to an offer. */
  readonly lastId: () => bigint
}

/**
 * The ledger being closed, or that a submission is checked against. Times in whole seconds since 1970. `sequences` are
 * the sequence numbers of the transactions in it, by their account's key in hex; `baseFee` is what an operation
 * costs at the least, in stroops, where that is more than the network's base fee; `prices` are what the ledger charges
 * for one, where more wanted to be in it than fits.
 */
export type ClosingLedger = {
  readonly sequence: number
  readonly closeTime: bigint
  readonly sequences?: ReadonlyMap<string, bigint>
  readonly baseFee?: bigint
  readonly prices?: Readonly<Record<Kind, bigint>>
  /** The most operations of classic transactions that it takes, where that was narrowed. */
  readonly operations?: number
}

/** Who has begun to sponsor whom in the running transaction: by the sponsored account's key in hex. */
export type Pledges = Map<string, xdr.PublicKey>

/**
 * Changes on top of a view that can be kept or thrown away. Drafts stack: an operation's on its transaction's, that on
 * its ledger's. `changes` lists each entry touched, in the order of the first touch, as `TransactionMeta` does.
 * `put` leaves an entry's extension, which names its sponsor, as it is unless another is given.
 */
export interface LedgerDraft extends LedgerView {
  readonly ledger: ClosingLedger
  readonly pledges: Pledges
  readonly put: (data: EntryData, ext?: xdr.LedgerEntryExt) => void
  readonly remove: (key: EntryKey) => void
  readonly useIdsUpTo: (lastId: bigint) => void
  readonly changes: () => xdr.LedgerEntryChange[]
  readonly touched: () => ReadonlyMap<EntryKey, xdr.LedgerEntry | undefined>
}

const changeOf = (
  key: EntryKey,
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
): xdr.LedgerEntryChange[] => {
  if (before === undefined) return after === undefined ? [] : [xdr.LedgerEntryChange.ledgerEntryCreated(after)]
  return [
    xdr.LedgerEntryChange.ledgerEntryState(before),
    after === undefined
      ? xdr.LedgerEntryChange.ledgerEntryRemoved(xdr.LedgerKey.fromXdr(key, 'hex'))
      : xdr.LedgerEntryChange.ledgerEntryUpdated(after),
  ]
}

/** `pledges` are shared by the drafts of one transaction's operations. */
export const draftOn = (below: LedgerView, ledger: ClosingLedger, pledges: Pledges = new Map()): LedgerDraft => {
  const touched = new Map<EntryKey, xdr.LedgerEntry | undefined>()
  const find = (key: EntryKey) => (touched.has(key) ? touched.get(key) : below.find(key))
  const { put: putInBook, remove: removeFromBook, ...book } = bookOn(below)
  let lastId: bigint | undefined
  return {
    ...book,
    ledger,
    pledges,
    find,
    lastId: () => lastId ?? below.lastId(),
    useIdsUpTo: (id) => {
      lastId = id
    },
    put: (data, given) => {
      const key = keyOf(data)
      const ext = given ?? find(key)?.ext ?? xdr.LedgerEntryExt.v0()
      touched.set(key, new xdr.LedgerEntry({ lastModifiedLedgerSeq: ledger.sequence, data, ext }))
      if (data.type === 'offer') putInBook(key, data.offer)
    },
    remove: (key) => {
      touched.set(key, undefined)
      removeFromBook(key)
    },
    changes: () => [...touched].flatMap(([key, after]) => changeOf(key, below.find(key), after)),
    touched: () => touched,
  }
}

/** Makes a draft's changes part of the draft below it. */
export const keepIn = (below: LedgerDraft, draft: LedgerDraft): void => {
  for (const [key, entry] of draft.touched()) {
    if (entry === undefined) below.remove(key)
    else below.put(dataOf(entry), entry.ext)
  }
  below.useIdsUpTo(draft.lastId())
}
