import { xdr } from '@stellar/stellar-sdk'
import { noOffers } from '../../exchange/book.ts'
import { draftOn, type LedgerDraft, type LedgerView } from '../../ledger/draft.ts'
import { type EntryData, type EntryKey, keyOf } from '../../ledger/entry-keys.ts'
import { ttlEntry } from '../lifetimes.ts'
import { mandateWasm, mandateWasmHash } from '../mandate-wasm.ts'
import { maxTtl } from '../settings.ts'

/** A ledger in memory that holds the mandate's code. */
export type MemoryLedger = {
  readonly view: LedgerView
  readonly put: (data: EntryData, liveUntil: number | null) => void
  readonly remove: (key: EntryKey) => void
  readonly draftAt: (sequence: number, closeTime: bigint) => LedgerDraft
  readonly keep: (draft: LedgerDraft) => void
}

export const memoryLedger = (): MemoryLedger => {
  const entries = new Map<EntryKey, xdr.LedgerEntry>()
  const view: LedgerView = { ...noOffers, find: (key) => entries.get(key), lastId: () => 0n }
  const set = (data: EntryData): void => {
    const ext = xdr.LedgerEntryExt.v0()
    entries.set(keyOf(data), new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext }))
  }
  const put: MemoryLedger['put'] = (data, liveUntil) => {
    set(data)
    if (liveUntil !== null) set(ttlEntry(keyOf(data), liveUntil))
  }
  const code = { ext: xdr.ContractCodeEntryExt.v0(), hash: mandateWasmHash, code: mandateWasm() }
  put(xdr.LedgerEntryData.contractCode(new xdr.ContractCodeEntry(code)), 10 * maxTtl)
  return {
    view,
    put,
    remove: (key) => void entries.delete(key),
    draftAt: (sequence, closeTime) => draftOn(view, { sequence, closeTime }),
    keep: (draft) => {
      for (const [key, entry] of draft.touched())
        if (entry === undefined) entries.delete(key)
        else entries.set(key, entry)
    },
  }
}
