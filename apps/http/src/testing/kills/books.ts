import { join } from 'node:path'
import { queryDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { Sandbox } from '@quittance/sandbox'
import { FeeBumpTransaction, type Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import * as t from 'io-ts'
import { isLogInDatabase } from '../event-store.ts'

/** A payment in a closed ledger, from the ledger alone. */
export type Moved = {
  readonly from: string
  readonly to: string
  readonly amount: string
  /** Whether it has a memo, which may refer to something. */
  readonly isNamed: boolean
  readonly ledger: number
  /** The hash of its transaction. */
  readonly hash: string
}

/** All successful payments on the network, in order. */
export const paymentsOn = ({ read, networkPassphrase }: Sandbox): ReadonlyArray<Moved> =>
  read.transactionsFrom(1, 0, Number.MAX_SAFE_INTEGER).flatMap(({ succeeded, envelope, ledger, hash }) => {
    const parsed = TransactionBuilder.fromXdr(Buffer.from(envelope).toString('base64'), networkPassphrase)
    const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
    const { source, memo, operations } = transaction
    if (!succeeded) return []
    return operations.filter(isPayment).map(({ source: from = source, destination: to, amount }) => {
      return { from, to, amount, isNamed: memo.type !== 'none', ledger, hash }
    })
  })

/** Incoming payments without a reference. */
export const straysOn = (sandbox: Sandbox, account: string): ReadonlyArray<Moved> =>
  paymentsOn(sandbox).filter(({ to, isNamed }) => to === account && !isNamed)

const isPayment = (operation: { readonly type: string }): operation is Operation.Payment => operation.type === 'payment'

/** An event as the log holds it. */
export type Written = { readonly type: string; readonly data: unknown }

const Row = t.strict({ stream: t.string, type: t.string, data: t.string })
type Row = t.TypeOf<typeof Row>

/** The events of a category, in order. */
const rowsOf = (dataDir: string, category: string): ReadonlyArray<Row> => {
  if (isLogInDatabase) {
    const where = `stream LIKE '${category}-%' ORDER BY position`
    const query = `SELECT json_build_object('stream', stream, 'type', type, 'data', data) FROM quittance.events WHERE ${where}`
    return queryDatabaseOf(dataDir, query).filter(Row.is)
  }
  const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const rows = database.prepare('SELECT stream, type, data FROM events WHERE stream GLOB ? ORDER BY position')
  const found = rows.all(`${category}-*`).filter(Row.is)
  database.close()
  return found
}

/** What `read` takes from each event of a category, by stream. */
const streamsOf = <A>(dataDir: string, category: string, read: (row: Row) => A) => {
  const streams = new Map<string, Array<A>>()
  for (const row of rowsOf(dataDir, category)) {
    const known = streams.get(row.stream)
    if (known === undefined) streams.set(row.stream, [read(row)])
    else known.push(read(row))
  }
  return streams
}

/** The events of each stream of a category. */
export const eventsOf = (dataDir: string, category: string): ReadonlyMap<string, ReadonlyArray<Written>> =>
  streamsOf(dataDir, category, ({ type, data }): Written => ({ type, data: JSON.parse(data) }))

/** The event types of each stream of a category. */
export const historiesOf = (dataDir: string, category: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  streamsOf(dataDir, category, ({ type }) => type)
