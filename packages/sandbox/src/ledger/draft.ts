import { xdr } from '@stellar/stellar-sdk'
import { bookOn, type OrderBook } from '../exchange/book.ts'
import { dataOf, type EntryData, type EntryKey, keyOf } from './entry-keys.ts'
import type { Kind } from './fee-bid.ts'

/** Reads the entries of a ledger. */
export interface LedgerView extends OrderBook {
  readonly find: (key: EntryKey) => xdr.LedgerEntry | undefined
  /** The last offer id used. */
  readonly lastId: () => bigint
}

/**
 * The ledger being closed, or the one a submission is checked for. Times in whole seconds since 1970. `sequences` are
 * the sequence numbers of its transactions, by account key in hex; `baseFee` is the minimum fee of an operation in
 * stroops, where a surge raises it; `prices` are the fees per operation where not all transactions fit.
 */
export type ClosingLedger = {
  readonly sequence: number
  readonly closeTime: bigint
  readonly sequences?: ReadonlyMap<string, bigint>
  readonly baseFee?: bigint
  readonly prices?: Readonly<Record<Kind, bigint>>
  /** The limit of classic operations, where a knob lowers it. */
  readonly operations?: number
  /** The protocol, where a knob has raised it. */
  readonly protocol?: number
}

/** The sponsor of each account sponsored in the running transaction, by the account's key in hex. */
export type Pledges = Map<string, xdr.PublicKey>

/**
 * Changes on top of a view, to keep or discard. Drafts stack: an operation's on its transaction's, that on its
 * ledger's. `changes` lists each touched entry in the order of the first touch, as `TransactionMeta` does. `put` keeps
 * an entry's extension, which names its sponsor, unless another is given.
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

/** The drafts of one transaction's operations share `pledges`. */
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

/** Merges a draft's changes into the draft below it. */
export const keepIn = (below: LedgerDraft, draft: LedgerDraft): void => {
  for (const [key, entry] of draft.touched()) {
    if (entry === undefined) below.remove(key)
    else below.put(dataOf(entry), entry.ext)
  }
  below.useIdsUpTo(draft.lastId())
}
