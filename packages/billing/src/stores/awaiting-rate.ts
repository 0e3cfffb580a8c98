import { Environment, IncomingPayment } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import { SessionId } from '../kernel/session-kinds.ts'
import { json, query } from './sql/query.ts'

const Incoming = json(IncomingPayment)
const AwaitingPayment = t.strict({
  environment: Environment,
  merchantId: t.string,
  sessionId: SessionId,
  incoming: Incoming,
})
/** An incoming payment of a session that nothing can judge until there is a rate. */
export type AwaitingPayment = t.TypeOf<typeof AwaitingPayment>

/** The to-do list of such payments. None of them has an event yet; they leave the list once they have all of theirs. */
export interface AwaitingRate {
  /**
   * Puts payments at the end, all of them or none; one that is already there stays where it is. A session that has recorded a
   * sum of a ledger takes nothing more of it, so no entry may come after another one of its ledger was placed.
   */
  readonly addAll: (awaiting: ReadonlyArray<AwaitingPayment>) => void
  readonly remove: (awaiting: AwaitingPayment) => void
  /** In the order of their ledgers. */
  readonly of: (environment: Environment) => ReadonlyArray<AwaitingPayment>
  /** A merchant's oldest, `most` of them. */
  readonly ofMerchant: (scope: Scope, most: number) => ReadonlyArray<AwaitingPayment>
  readonly has: (environment: Environment, sessionId: string) => boolean
  /** Finds one by its `incomingPaymentName`. */
  readonly named: (name: string) => AwaitingPayment | null
}

/** In the file of the cursors: a payment is on the disk before the cursor moves past its ledger. */
export const sqliteAwaitingRate = (database: SqlDatabase): AwaitingRate => {
  database.execute(`CREATE TABLE IF NOT EXISTS credits_awaiting_rate (
    place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, environment TEXT NOT NULL, merchant_id TEXT NOT NULL,
    checkout_id TEXT NOT NULL, credit TEXT NOT NULL
  ) STRICT`)
  const select = `SELECT environment, merchant_id AS merchantId, checkout_id AS sessionId, credit AS incoming
    FROM credits_awaiting_rate`
  const add = database.prepare(
    'INSERT OR IGNORE INTO credits_awaiting_rate (name, environment, merchant_id, checkout_id, credit) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM credits_awaiting_rate WHERE name = ?')
  const ofEnvironment = query(database, AwaitingPayment, `${select} WHERE environment = ? ORDER BY place`)
  const ofMerchant = query(
    database,
    AwaitingPayment,
    `${select} WHERE environment = ? AND merchant_id = ? ORDER BY place LIMIT ?`,
  )
  const ofSession = database.prepare(
    'SELECT 1 FROM credits_awaiting_rate WHERE environment = ? AND checkout_id = ? LIMIT 1',
  )
  const withName = query(database, AwaitingPayment, `${select} WHERE name = ?`)
  return {
    addAll: (awaiting) =>
      database.transaction(() => {
        for (const each of awaiting) {
          const { environment, merchantId, sessionId, incoming } = each
          add.run(incomingPaymentName(each, incoming), environment, merchantId, sessionId, Incoming.encode(incoming))
        }
      }),
    remove: (awaiting) => void remove.run(incomingPaymentName(awaiting, awaiting.incoming)),
    of: (environment) => ofEnvironment.all(environment),
    ofMerchant: ({ environment, merchantId }, most) => ofMerchant.all(environment, merchantId, most),
    has: (environment, sessionId) => ofSession.get(environment, sessionId) !== undefined,
    named: (name) => withName.one(name),
  }
}
