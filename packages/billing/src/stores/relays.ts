import { Environment, Text, TransactionHash, type UnixMs, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'

/** A transaction of somebody else that was handed to the network, and its last moment. */
export type Relay = {
  readonly environment: Environment
  readonly transactionHash: TransactionHash
  readonly envelopeXdr: Text
  readonly maxTime: UnixMs
}

/**
 * The to-do list of relayed transactions that no event holds, such as mandates that bring no money at once: they are sent
 * again until a ledger holds them or their time is over.
 */
export interface Relays {
  readonly keep: (relay: Relay) => void
  /** Those whose time is over first, at most 100: strangers may have put any number on the list. */
  readonly of: (environment: Environment) => ReadonlyArray<Relay>
  readonly remove: (relay: Relay) => void
}

const Row = t.strict({ environment: Environment, hash: TransactionHash, envelope: Text, max_time: t.number })

export const sqliteRelays = (database: SqlDatabase): Relays => {
  database.execute(`CREATE TABLE IF NOT EXISTS relays (
    environment TEXT NOT NULL, hash TEXT NOT NULL, envelope TEXT NOT NULL, max_time INTEGER NOT NULL,
    PRIMARY KEY (environment, hash)
  ) STRICT, WITHOUT ROWID`)
  const keep = database.prepare(
    'INSERT OR IGNORE INTO relays (environment, hash, envelope, max_time) VALUES (?, ?, ?, ?)',
  )
  const all = database.prepare('SELECT * FROM relays WHERE environment = ? ORDER BY max_time, hash LIMIT 100')
  const remove = database.prepare('DELETE FROM relays WHERE environment = ? AND hash = ?')
  return {
    keep: ({ environment, transactionHash, envelopeXdr, maxTime }) =>
      void keep.run(environment, transactionHash, envelopeXdr, maxTime),
    of: (environment) =>
      all.all(environment).map((row) => {
        const { hash, envelope, max_time } = decodeOrThrow(Row, row)
        return { environment, transactionHash: hash, envelopeXdr: envelope, maxTime: unixMs(max_time) }
      }),
    remove: ({ environment, transactionHash }) => void remove.run(environment, transactionHash),
  }
}
