import { xdr } from '@stellar/stellar-sdk'
import { draftOn, keepIn, type LedgerDraft, type LedgerView } from '../ledger/draft.ts'
import { type EntryData, type EntryKey, keyHashOf, ttlKeyOf } from '../ledger/entry-keys.ts'
import { maxTtl, minPersistentTtl, minTemporaryTtl } from './settings.ts'

export type Durability = 'persistent' | 'temporary'

/** Undefined for entries that never expire. */
export const durabilityOf = (data: EntryData): Durability | undefined => {
  if (data.type === 'contractCode') return 'persistent'
  return data.type === 'contractData' ? data.contractData.durability.name : undefined
}

/** The last ledger of a new or restored entry's life. */
export const firstLiveUntil = (sequence: number, durability: Durability): number =>
  sequence + (durability === 'persistent' ? minPersistentTtl : minTemporaryTtl) - 1

/** The latest ledger that any entry may live until. */
export const lastLiveUntil = (sequence: number): number => sequence + maxTtl - 1

/** The last ledger of an entry's life; undefined for entries that never expire. */
export const liveUntilIn = (view: LedgerView, key: EntryKey): number | undefined => {
  const data = view.find(ttlKeyOf(key))?.data
  return data?.type === 'ttl' ? data.ttl.liveUntilLedgerSeq : undefined
}

export const ttlEntry = (key: EntryKey, liveUntilLedgerSeq: number): xdr.LedgerEntryDataTtl =>
  xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash: keyHashOf(key), liveUntilLedgerSeq }))

/** Sets the lives of entries without any rent, as no transaction could. Answers the changes. */
export const setLives = (
  below: LedgerDraft,
  lives: ReadonlyArray<{ readonly key: EntryKey; readonly liveUntil: number }>,
): xdr.LedgerEntryChange[] => {
  const draft = draftOn(below, below.ledger)
  for (const { key, liveUntil } of lives) draft.put(ttlEntry(key, liveUntil))
  const changes = draft.changes()
  keepIn(below, draft)
  return changes
}
