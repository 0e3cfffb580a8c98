import { Environment, Text, TransactionHash, UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { query, write } from './sql/query.ts'

const Relay = t.strict({
  environment: Environment,
  transactionHash: TransactionHash,
  envelopeXdr: Text,
  maxTime: UnixMs,
})
/** A transaction of a payer that the service handed to the network. */
export type Relay = t.TypeOf<typeof Relay>

/**
 * The to-do list of relayed transactions that are in no event, such as mandates that bring no money at once. They are sent
 * again until a ledger holds them or their time is over.
 */
export interface Relays {
  readonly keep: (relay: Relay) => Promise<void>
  /** The first to expire first, at most 100: strangers may have put any number on the list. */
  readonly of: (environment: Environment) => Promise<ReadonlyArray<Relay>>
  readonly remove: (relay: Relay) => Promise<void>
}

export const relayTable = `CREATE TABLE IF NOT EXISTS relays (
  environment TEXT NOT NULL, hash TEXT NOT NULL, envelope TEXT NOT NULL, max_time INTEGER NOT NULL,
  PRIMARY KEY (environment, hash)
) STRICT, WITHOUT ROWID`

const keep = write(
  'INSERT INTO relays (environment, hash, envelope, max_time) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
)
const ofEnvironment = query(
  Relay,
  `SELECT environment, hash AS "transactionHash", envelope AS "envelopeXdr", max_time AS "maxTime" FROM relays
   WHERE environment = ? ORDER BY max_time, hash LIMIT 100`,
)
const remove = write('DELETE FROM relays WHERE environment = ? AND hash = ?')

export const relays = ({ run }: Sql): Relays => ({
  keep: ({ environment, transactionHash, envelopeXdr, maxTime }) =>
    run(keep(environment, transactionHash, envelopeXdr, maxTime)),
  of: (environment) => run(ofEnvironment.all(environment)),
  remove: ({ environment, transactionHash }) => run(remove(environment, transactionHash)),
})
