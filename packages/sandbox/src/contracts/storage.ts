import { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import { dataOf, type EntryData, type EntryKey, keyOf } from '../ledger/entry-keys.ts'
import type { Footprint } from './footprint.ts'
import { hostError } from './host-error.ts'
import type { Journal } from './journal.ts'
import { durabilityOf, firstLiveUntil, lastLiveUntil, liveUntilIn, ttlEntry } from './lifetimes.ts'
import type { Meter } from './meter.ts'

/** An entry and the last ledger of its life; undefined where it never expires. */
export type LiveEntry = { readonly data: EntryData; readonly liveUntil: number | undefined }

/** A changed entry; `before` is undefined where the entry is new. */
export type Change = { readonly key: EntryKey; readonly before: LiveEntry | undefined; readonly after: LiveEntry }

/** The ledger as a running call sees it: expired temporary entries are absent, archived entries restored. */
export interface Storage {
  readonly find: (key: EntryKey) => EntryData | undefined
  /** A new entry lives for the minimum lifetime by default; an existing one keeps its lifetime. */
  readonly put: (data: EntryData, liveUntil?: number) => void
  /** Extends an entry's life to `extendTo` ledgers from now, if at most `threshold` are left. */
  readonly extend: (key: EntryKey, threshold: number, extendTo: number) => void
  readonly restore: (key: EntryKey) => void
  readonly changes: () => ReadonlyArray<Change>
  /** The accounts and trustlines inside the footprint. */
  readonly classic: LedgerDraft
}

/** Only reads the draft; `writeChanges` writes it once the call has succeeded. */
export const storageOn = (draft: LedgerDraft, footprint: Footprint, { note }: Journal, { count }: Meter): Storage => {
  const { sequence } = draft.ledger
  const before = new Map<EntryKey, LiveEntry | undefined>()
  const current = new Map<EntryKey, LiveEntry | undefined>()

  const load = (key: EntryKey): LiveEntry | undefined => {
    if (current.has(key)) return current.get(key)
    const found = draft.find(key)
    const entry = found && { data: dataOf(found), liveUntil: liveUntilIn(draft, key) }
    const durability = entry && durabilityOf(entry.data)
    const hasExpired = durability !== undefined && (entry?.liveUntil ?? 0) < sequence
    before.set(key, hasExpired ? undefined : entry)
    if (entry === undefined || !hasExpired) current.set(key, entry)
    else if (durability === 'temporary') current.set(key, undefined)
    else {
      footprint.write(key)
      current.set(key, { data: entry.data, liveUntil: firstLiveUntil(sequence, durability) })
    }
    return current.get(key)
  }
  const replace = (key: EntryKey, entry: LiveEntry): void => {
    const was = current.get(key)
    note(() => void current.set(key, was))
    current.set(key, entry)
  }
  const reach = (key: EntryKey, access: 'read' | 'write'): LiveEntry | undefined => {
    count('accesses')
    footprint[access](key)
    return load(key)
  }
  const find = (key: EntryKey) => reach(key, 'read')?.data
  const put = (data: EntryData, liveUntil?: number): void => {
    const key = keyOf(data)
    const durability = durabilityOf(data)
    const first = durability && firstLiveUntil(sequence, durability)
    replace(key, { data, liveUntil: reach(key, 'write')?.liveUntil ?? liveUntil ?? first })
  }

  return {
    find,
    put,
    restore: (key) => void load(key),
    extend: (key, threshold, extendTo) => {
      if (threshold > extendTo) throw hostError('storage', 'invalidInput', 'threshold must be <= extend_to')
      const entry = reach(key, 'read')
      if (entry?.liveUntil === undefined) throw hostError('storage', 'missingValue', 'no entry to extend')
      const last = lastLiveUntil(sequence)
      if (durabilityOf(entry.data) === 'temporary' && sequence + extendTo > last)
        throw hostError('storage', 'invalidAction', 'a temporary entry cannot live that long')
      const liveUntil = Math.min(sequence + extendTo, last)
      if (entry.liveUntil - sequence <= threshold && liveUntil > entry.liveUntil) replace(key, { ...entry, liveUntil })
    },
    changes: () =>
      [...current].flatMap(([key, after]) => {
        const was = before.get(key)
        return after === undefined || after === was ? [] : [{ key, before: was, after }]
      }),
    classic: {
      ...draft,
      find: (key) => {
        const data = find(key)
        const ext = xdr.LedgerEntryExt.v0()
        return data && new xdr.LedgerEntry({ lastModifiedLedgerSeq: sequence, data, ext })
      },
      put: (data) => put(data),
    },
  }
}

export const writeChanges = (draft: LedgerDraft, changes: ReadonlyArray<Change>): void => {
  for (const { key, before, after } of changes) {
    if (before?.data !== after.data) draft.put(after.data)
    if (after.liveUntil !== undefined && after.liveUntil !== before?.liveUntil)
      draft.put(ttlEntry(key, after.liveUntil))
  }
}
