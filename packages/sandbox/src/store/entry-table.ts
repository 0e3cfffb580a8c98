import type { SqlDatabase } from '@quittance/event-store'
import { xdr } from '@stellar/stellar-sdk'
import type { LedgerView } from '../ledger/draft.ts'
import type { EntryKey } from '../ledger/entry-keys.ts'
import { sha256 } from '../network.ts'
import { bytesIn, integerIn } from './columns.ts'
import { offerTable } from './offer-table.ts'

/** The ledger's current entries, and the state hash over them. */
export interface EntryTable extends LedgerView {
  /** Writes changed entries (undefined: removed), keeps the last id given, and returns the new state hash. Belongs in a transaction. */
  readonly write: (changed: ReadonlyMap<EntryKey, xdr.LedgerEntry | undefined>, lastId: bigint) => Uint8Array
  /** The state hash computed anew from every entry. */
  readonly recompute: () => Uint8Array
}

const modulus = 1n << 256n

/** What an entry adds to the sum: the SHA-256 of its XDR as a number. */
const weightOf = (entry: Uint8Array): bigint => BigInt(`0x${Buffer.from(sha256(entry)).toString('hex')}`)

const bytesOf = (sum: bigint): Uint8Array => Buffer.from(sum.toString(16).padStart(64, '0'), 'hex')

/**
 * The state hash is the SHA-256 of the sum, modulo 2^256, of all entries' hashes: it depends on the entries alone, not
 * on the way they came about, and a change costs as much as what it changes.
 */
export const entryTable = (database: SqlDatabase): EntryTable => {
  const select = database.prepare('SELECT entry FROM sandbox_entry WHERE key = ?')
  const upsert = database.prepare('INSERT OR REPLACE INTO sandbox_entry (key, entry) VALUES (?, ?)')
  const drop = database.prepare('DELETE FROM sandbox_entry WHERE key = ?')
  const selectSum = database.prepare('SELECT state_sum FROM sandbox_network')
  const updateSum = database.prepare('UPDATE sandbox_network SET state_sum = ?')
  const all = database.prepare('SELECT entry FROM sandbox_entry')
  const selectLastId = database.prepare('SELECT last_id FROM sandbox_last_id')
  const replaceLastId = database.prepare('INSERT OR REPLACE INTO sandbox_last_id VALUES (1, ?)')
  const { add, drop: withdraw, ...book } = offerTable(database)
  const stored = (key: Uint8Array): Uint8Array | undefined => {
    const row = select.get(key)
    return row === undefined ? undefined : bytesIn(row, 'entry')
  }

  const replace = (hex: EntryKey, entry: xdr.LedgerEntry | undefined): bigint => {
    const key = Buffer.from(hex, 'hex')
    const before = stored(key)
    const removed = before === undefined ? 0n : weightOf(before)
    if (entry === undefined) {
      drop.run(key)
      withdraw(hex)
      return modulus - removed
    }
    if (entry.data.type === 'offer') add(hex, entry.data.offer)
    const after = entry.toXdr()
    upsert.run(key, after)
    return modulus + weightOf(after) - removed
  }

  return {
    ...book,
    find: (key) => {
      const entry = stored(Buffer.from(key, 'hex'))
      return entry === undefined ? undefined : xdr.LedgerEntry.fromXdr(entry)
    },
    lastId: () => {
      const row = selectLastId.get()
      return row === undefined ? 0n : BigInt(integerIn(row, 'last_id'))
    },
    write: (changed, lastId) => {
      const row = selectSum.get()
      let sum = row === undefined ? 0n : BigInt(`0x${Buffer.from(bytesIn(row, 'state_sum')).toString('hex')}`)
      for (const [key, entry] of changed) sum = (sum + replace(key, entry)) % modulus
      updateSum.run(bytesOf(sum))
      replaceLastId.run(Number(lastId))
      return sha256(bytesOf(sum))
    },
    recompute: () => {
      let sum = 0n
      for (const row of all.iterate()) sum = (sum + weightOf(bytesIn(row, 'entry'))) % modulus
      return sha256(bytesOf(sum))
    },
  }
}
