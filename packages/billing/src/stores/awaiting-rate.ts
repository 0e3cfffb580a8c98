import { Environment, IncomingPayment } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import { SessionId } from '../kernel/session-kinds.ts'

/** A credit of a session that nobody could judge yet, for want of a rate. */
export type AwaitingCredit = Scope & { readonly sessionId: SessionId; readonly credit: IncomingPayment }

/** The to-do list of such credits. What stands on it has no event yet; it leaves the list once it has all of them. */
export interface AwaitingRate {
  /** Puts a credit at the end; one that is there already stays where it is. */
  readonly add: (awaiting: AwaitingCredit) => void
  readonly remove: (awaiting: AwaitingCredit) => void
  /** In the order of their ledgers. */
  readonly of: (environment: Environment) => ReadonlyArray<AwaitingCredit>
  readonly has: (environment: Environment, sessionId: string) => boolean
  /** The one of this name, as `incomingPaymentName` makes it. */
  readonly named: (name: string) => AwaitingCredit | null
}

const Row = t.strict({ environment: Environment, merchant_id: t.string, checkout_id: SessionId, credit: t.string })

/** In the file of the cursors: a credit is on the disk before the cursor moves past its ledger. */
export const sqliteAwaitingRate = (database: SqlDatabase): AwaitingRate => {
  database.execute(`CREATE TABLE IF NOT EXISTS credits_awaiting_rate (
    place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, environment TEXT NOT NULL, merchant_id TEXT NOT NULL,
    checkout_id TEXT NOT NULL, credit TEXT NOT NULL
  ) STRICT`)
  const add = database.prepare(
    'INSERT OR IGNORE INTO credits_awaiting_rate (name, environment, merchant_id, checkout_id, credit) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM credits_awaiting_rate WHERE name = ?')
  const all = database.prepare('SELECT * FROM credits_awaiting_rate WHERE environment = ? ORDER BY place')
  const one = database.prepare('SELECT 1 FROM credits_awaiting_rate WHERE environment = ? AND checkout_id = ? LIMIT 1')
  const withName = database.prepare('SELECT * FROM credits_awaiting_rate WHERE name = ?')
  const awaiting = (row: SqlRow): AwaitingCredit => {
    const { environment, merchant_id, checkout_id, credit } = decodeOrThrow(Row, row)
    const decoded = decodeOrThrow(IncomingPayment, JSON.parse(credit))
    return { merchantId: merchant_id, environment, sessionId: checkout_id, credit: decoded }
  }
  return {
    add: (awaiting) => {
      const { environment, merchantId, sessionId, credit } = awaiting
      const body = JSON.stringify(IncomingPayment.encode(credit))
      add.run(incomingPaymentName(awaiting, credit), environment, merchantId, sessionId, body)
    },
    remove: (awaiting) => void remove.run(incomingPaymentName(awaiting, awaiting.credit)),
    of: (environment) => all.all(environment).map(awaiting),
    has: (environment, sessionId) => one.get(environment, sessionId) !== undefined,
    named: (name) => {
      const row = withName.get(name)
      return row === undefined ? null : awaiting(row)
    },
  }
}
