import { Environment, IncomingPayment } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import { SessionId } from '../kernel/session-kinds.ts'
import { exists, json, query, write } from './sql/query.ts'

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
  readonly addAll: (awaiting: ReadonlyArray<AwaitingPayment>) => Promise<void>
  readonly remove: (awaiting: AwaitingPayment) => Promise<void>
  /** In the order of their ledgers. */
  readonly of: (environment: Environment) => Promise<ReadonlyArray<AwaitingPayment>>
  /** A merchant's oldest, `most` of them. */
  readonly ofMerchant: (scope: Scope, most: number) => Promise<ReadonlyArray<AwaitingPayment>>
  readonly has: (environment: Environment, sessionId: string) => Promise<boolean>
  /** Finds one by its `incomingPaymentName`. */
  readonly named: (name: string) => Promise<AwaitingPayment | null>
}

export const awaitingRateTable = `CREATE TABLE IF NOT EXISTS credits_awaiting_rate (
  place INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, environment TEXT NOT NULL, merchant_id TEXT NOT NULL,
  checkout_id TEXT NOT NULL, credit TEXT NOT NULL
) STRICT`

const select = `SELECT environment, merchant_id AS "merchantId", checkout_id AS "sessionId", credit AS incoming
  FROM credits_awaiting_rate`
const add = write(
  `INSERT INTO credits_awaiting_rate (name, environment, merchant_id, checkout_id, credit) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT DO NOTHING`,
)
const remove = write('DELETE FROM credits_awaiting_rate WHERE name = ?')
const ofEnvironment = query(AwaitingPayment, `${select} WHERE environment = ? ORDER BY place`)
const ofMerchant = query(AwaitingPayment, `${select} WHERE environment = ? AND merchant_id = ? ORDER BY place LIMIT ?`)
const ofSession = exists('SELECT 1 FROM credits_awaiting_rate WHERE environment = ? AND checkout_id = ? LIMIT 1')
const withName = query(AwaitingPayment, `${select} WHERE name = ?`)

/** Beside the cursors: a payment is durable before the cursor moves past its ledger. */
export const awaitingRate = ({ run }: Sql): AwaitingRate => ({
  addAll: (awaiting) =>
    run(function* () {
      for (const each of awaiting) {
        const { environment, merchantId, sessionId, incoming } = each
        const name = incomingPaymentName(each, incoming)
        yield* add(name, environment, merchantId, sessionId, Incoming.encode(incoming))()
      }
    }),
  remove: (awaiting) => run(remove(incomingPaymentName(awaiting, awaiting.incoming))),
  of: (environment) => run(ofEnvironment.all(environment)),
  ofMerchant: ({ environment, merchantId }, most) => run(ofMerchant.all(environment, merchantId, most)),
  has: (environment, sessionId) => run(ofSession(environment, sessionId)),
  named: (name) => run(withName.one(name)),
})
