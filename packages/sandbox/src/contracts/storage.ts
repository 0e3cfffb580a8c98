import { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import { dataOf, type EntryData, type EntryKey, keyOf } from '../ledger/entry-keys.ts'
import type { Footprint } from './footprint.ts'
import { hostError } from './host-error.ts'
import type { Journal } from './journal.ts'
import { durabilityOf, firstLiveUntil, lastLiveUntil, liveUntilIn, ttlEntry } from './lifetimes.ts'
import type { Meter } from './meter.ts'

/** An entry with the last ledger of its life; undefined where it lives without end. */
export type Held = { readonly data: EntryData; readonly liveUntil: number | undefined }

/** What became of an entry: undefined is one that was not there. */
export type Change = { readonly key: EntryKey; readonly before: Held | undefined; readonly after: Held }

/** The ledger as a running call sees it: expired temporary entries are absent, and archived ones restored. */
export interface Storage {
  readonly find: (key: EntryKey) => EntryData | undefined
  /** A new entry lives for the least time there is, unless told otherwise; one that is there keeps its lifetime. */
  readonly put: (data: EntryData, liveUntil?: number) => void
  /** Lets an entry live `extendTo` more ledgers from now, if it has at most `threshold` left. */
  readonly extend: (key: EntryKey, threshold: number, extendTo: number) => void
  /** Restores an archived entry, used or not. */
  readonly restore: (key: EntryKey) => void
  readonly changes: () => ReadonlyArray<Change>
  /** The draft's view of accounts and trustlines, inside the footprint. */
  readonly classic: LedgerDraft
}

/** The draft is only read here: what has changed is written by `writeChanges`, once the call has succeeded. */
export const storageOn = (draft: LedgerDraft, footprint: Footprint, { note }: Journal, { count }: Meter): Storage => {
  const { sequence } = draft.ledger
  const before = new Map<EntryKey, Held | undefined>()
  const current = new Map<EntryKey, Held | undefined>()

  const load = (key: EntryKey): Held | undefined => {
    if (current.has(key)) return current.get(key)
    const entry = draft.find(key)
    const held = entry === undefined ? undefined : { data: dataOf(entry), liveUntil: liveUntilIn(draft, key) }
    const durability = held === undefined ? undefined : durabilityOf(held.data)
    const hasExpired = durability !== undefined && (held?.liveUntil ?? 0) < sequence
    before.set(key, hasExpired ? undefined : held)
    if (held === undefined || !hasExpired) current.set(key, held)
    else if (durability === 'temporary') current.set(key, undefined)
    else {
      footprint.write(key)
      current.set(key, { data: held.data, liveUntil: firstLiveUntil(sequence, durability) })
    }
    return current.get(key)
  }
  const replace = (key: EntryKey, held: Held): void => {
    const was = current.get(key)
    note(() => void current.set(key, was))
    current.set(key, held)
  }
  const reach = (key: EntryKey, access: 'read' | 'write'): Held | undefined => {
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
      const held = reach(key, 'read')
      if (held?.liveUntil === undefined) throw hostError('storage', 'missingValue', 'no entry to extend')
      const last = lastLiveUntil(sequence)
      if (durabilityOf(held.data) === 'temporary' && sequence + extendTo > last)
        throw hostError('storage', 'invalidAction', 'a temporary entry cannot live that long')
      const liveUntil = Math.min(sequence + extendTo, last)
      if (held.liveUntil - sequence <= threshold && liveUntil > held.liveUntil) replace(key, { ...held, liveUntil })
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

/** Writes what a successful call has changed. */
export const writeChanges = (draft: LedgerDraft, changes: ReadonlyArray<Change>): void => {
  for (const { key, before, after } of changes) {
    if (before?.data !== after.data) draft.put(after.data)
    if (after.liveUntil !== undefined && after.liveUntil !== before?.liveUntil)
      draft.put(ttlEntry(key, after.liveUntil))
  }
}
