import { openDatabase } from '@quittance/event-store/sqlite'
import type { Sandbox } from '@quittance/sandbox'
import { FeeBumpTransaction, type Operation, TransactionBuilder } from '@stellar/stellar-sdk'

/** A payment in a closed ledger, from the ledger alone. */
export type Moved = {
  readonly from: string
  readonly to: string
  readonly amount: string
  /** Whether it has a memo, which may refer to something. */
  readonly isNamed: boolean
  readonly ledger: number
}

/** All successful payments on the network, in order. */
export const paymentsOn = ({ read, networkPassphrase }: Sandbox): ReadonlyArray<Moved> =>
  read.transactionsFrom(1, 0, Number.MAX_SAFE_INTEGER).flatMap(({ succeeded, envelope, ledger }) => {
    const parsed = TransactionBuilder.fromXdr(Buffer.from(envelope).toString('base64'), networkPassphrase)
    const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
    const { source, memo, operations } = transaction
    if (!succeeded) return []
    return operations.filter(isPayment).map(({ source: from = source, destination: to, amount }) => {
      return { from, to, amount, isNamed: memo.type !== 'none', ledger }
    })
  })

/** Incoming payments without a reference. */
export const straysOn = (sandbox: Sandbox, account: string): ReadonlyArray<Moved> =>
  paymentsOn(sandbox).filter(({ to, isNamed }) => to === account && !isNamed)

const isPayment = (operation: { readonly type: string }): operation is Operation.Payment => operation.type === 'payment'

/** An event as the log's file holds it. */
export type Written = { readonly type: string; readonly data: unknown }

/** What `read` takes from each event of a category, by stream. */
const streamsOf = <A>(log: string, category: string, read: (type: string, data: string) => A) => {
  const database = openDatabase(log, { durability: 'full', readOnly: true })
  const streams = new Map<string, Array<A>>()
  const rows = database.prepare('SELECT stream, type, data FROM events WHERE stream GLOB ? ORDER BY position')
  for (const { stream, type, data } of rows.iterate(`${category}-*`)) {
    const known = streams.get(String(stream)) ?? []
    streams.set(String(stream), [...known, read(String(type), String(data))])
  }
  database.close()
  return streams
}

/** The events of each stream of a category. */
export const eventsOf = (log: string, category: string): ReadonlyMap<string, ReadonlyArray<Written>> =>
  streamsOf(log, category, (type, data): Written => ({ type, data: JSON.parse(data) }))

/** The event types of each stream of a category. */
export const historiesOf = (log: string, category: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  streamsOf(log, category, (type) => type)
