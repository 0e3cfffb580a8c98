import type { SqlDatabase } from '@quittance/event-store'
import { xdr } from '@stellar/stellar-sdk'
import type { LedgerView } from '../ledger/draft.ts'
import type { EntryKey } from '../ledger/entry-keys.ts'
import { hexOf, sha256 } from '../network.ts'
import { bytesIn, integerIn } from './columns.ts'
import { offerTable } from './offer-table.ts'

/** The ledger's current entries and the state hash over them. */
export interface EntryTable extends LedgerView {
  /**
   * Writes changed entries (undefined: removed) and the last offer id; answers the new state hash. Must run inside a
   * transaction.
   */
  readonly write: (changed: ReadonlyMap<EntryKey, xdr.LedgerEntry | undefined>, lastId: bigint) => Uint8Array
  readonly trustlinesOf: (accountId: xdr.PublicKey) => ReadonlyArray<xdr.TrustLineEntry>
  /** The sum behind the state hash; equal for equal entries. */
  readonly stateSum: () => string
  /** Recomputes the state hash from every entry. */
  readonly recompute: () => Uint8Array
}

const modulus = 1n << 256n

/** An entry's term in the sum: the SHA-256 of its XDR as a number. */
const weightOf = (entry: Uint8Array): bigint => BigInt(`0x${Buffer.from(sha256(entry)).toString('hex')}`)

const bytesOf = (sum: bigint): Uint8Array => Buffer.from(sum.toString(16).padStart(64, '0'), 'hex')

/** The common prefix of an account's trustline keys: entry type and account, without the asset. */
const trustlinePrefix = (accountId: xdr.PublicKey): Uint8Array => {
  const asset = xdr.TrustLineAsset.assetTypeNative()
  const key = xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset })).toXdr()
  return key.subarray(0, key.length - asset.toXdr().length)
}
const behindAnyAsset = Buffer.alloc(1, 0xff)

/**
 * The state hash is the SHA-256 of the sum, modulo 2^256, of all entries' hashes. It depends on the entries alone, not
 * on their history, and an update costs as much as what it changes.
 */
export const entryTable = (database: SqlDatabase): EntryTable => {
  const select = database.prepare('SELECT entry FROM sandbox_entry WHERE key = ?')
  const upsert = database.prepare('INSERT OR REPLACE INTO sandbox_entry (key, entry) VALUES (?, ?)')
  const drop = database.prepare('DELETE FROM sandbox_entry WHERE key = ?')
  const selectSum = database.prepare('SELECT state_sum FROM sandbox_network')
  const updateSum = database.prepare('UPDATE sandbox_network SET state_sum = ?')
  const all = database.prepare('SELECT entry FROM sandbox_entry')
  const between = database.prepare('SELECT entry FROM sandbox_entry WHERE key > ? AND key < ?')
  const selectLastId = database.prepare('SELECT last_id FROM sandbox_last_id')
  const replaceLastId = database.prepare('INSERT OR REPLACE INTO sandbox_last_id VALUES (1, ?)')
  const { add, drop: withdraw, ...book } = offerTable(database)
  const stored = (key: Uint8Array): Uint8Array | undefined => {
    const row = select.get(key)
    return row === undefined ? undefined : bytesIn(row, 'entry')
  }

  const stateSum = (): string => {
    const row = selectSum.get()
    return row === undefined ? '0' : hexOf(bytesIn(row, 'state_sum'))
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
    stateSum,
    write: (changed, lastId) => {
      let sum = BigInt(`0x${stateSum()}`)
      for (const [key, entry] of changed) sum = (sum + replace(key, entry)) % modulus
      updateSum.run(bytesOf(sum))
      replaceLastId.run(Number(lastId))
      return sha256(bytesOf(sum))
    },
    trustlinesOf: (accountId) => {
      const prefix = trustlinePrefix(accountId)
      const rows = between.all(prefix, Buffer.concat([prefix, behindAnyAsset]))
      return rows.flatMap((row) => {
        const { data } = xdr.LedgerEntry.fromXdr(bytesIn(row, 'entry'))
        return data.type === 'trustline' ? [data.trustLine] : []
      })
    },
    recompute: () => {
      let sum = 0n
      for (const row of all.iterate()) sum = (sum + weightOf(bytesIn(row, 'entry'))) % modulus
      return sha256(bytesOf(sum))
    },
  }
}
