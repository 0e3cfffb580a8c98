import { xdr } from '@stellar/stellar-sdk'
import { dataOf, type EntryData, type EntryKey, keyOf } from './entry-keys.ts'

/** Reads the entries of a ledger. */
export interface LedgerView {
  readonly find: (key: EntryKey) => xdr.LedgerEntry | undefined
}

/** The ledger being closed, or that a submission is checked against. Times in whole seconds since 1970. */
export type ClosingLedger = { readonly sequence: number; readonly closeTime: bigint }

/**
 * Changes on top of a view that can be kept or thrown away. Drafts stack: an operation's on its transaction's, that on
 * its ledger's. `changes` lists each entry touched, in the order of the first touch, as `TransactionMeta` does.
 */
export interface LedgerDraft extends LedgerView {
  readonly ledger: ClosingLedger
  readonly put: (data: EntryData) => void
  readonly remove: (key: EntryKey) => void
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

export const draftOn = (below: LedgerView, ledger: ClosingLedger): LedgerDraft => {
  const touched = new Map<EntryKey, xdr.LedgerEntry | undefined>()
  return {
    ledger,
    find: (key) => (touched.has(key) ? touched.get(key) : below.find(key)),
    put: (data) => {
      const ext = xdr.LedgerEntryExt.v0()
      touched.set(keyOf(data), new xdr.LedgerEntry({ lastModifiedLedgerSeq: ledger.sequence, data, ext }))
    },
    remove: (key) => void touched.set(key, undefined),
    changes: () => [...touched].flatMap(([key, after]) => changeOf(key, below.find(key), after)),
    touched: () => touched,
  }
}

/** Makes a draft's changes part of the draft below it. */
export const keepIn = (below: LedgerDraft, draft: LedgerDraft): void => {
  for (const [key, entry] of draft.touched()) {
    if (entry === undefined) below.remove(key)
    else below.put(dataOf(entry))
  }
}
