import { randomUUID } from 'node:crypto'
import { openDatabase } from '@quittance/event-store/sqlite'

export type Sku = 'book' | 'club'
export const isSku = (text: unknown): text is Sku => text === 'book' || text === 'club'

export type Order = {
  readonly id: string
  readonly sku: Sku
  readonly status: 'open' | 'paid' | 'active' | 'canceled'
  readonly customer: string | null
  /** How many later periods of a subscription were paid. */
  readonly renewals: number
}

/** The identity of a command, stored before its first attempt: repeated after a crash, it happens once. */
export type StoredCommand = { readonly id: string; readonly at: number }

const schema = `
  CREATE TABLE IF NOT EXISTS commands (name TEXT PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, sku TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', checkout TEXT UNIQUE, customer TEXT,
    subscription TEXT, renewals INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS heard (only INTEGER PRIMARY KEY CHECK (only = 1), event TEXT NOT NULL) STRICT`

/** The shop's own database. The billing core knows nothing of it. */
export const openOrders = (path: string, now: () => number) => {
  const database = openDatabase(path, { durability: 'full' })
  database.execute(schema)
  const command = database.prepare('SELECT id, at FROM commands WHERE name = ?')
  const addCommand = database.prepare('INSERT OR IGNORE INTO commands VALUES (?, ?, ?)')
  const order = database.prepare('SELECT * FROM orders WHERE id = ?')
  const addOrder = database.prepare('INSERT INTO orders (id, sku) VALUES (?, ?)')
  const setCheckout = database.prepare('UPDATE orders SET checkout = ? WHERE id = ?')
  const pay = database.prepare(`UPDATE orders SET status = 'paid', customer = ? WHERE checkout = ? AND sku = 'book'`)
  const activate = database.prepare(
    `UPDATE orders SET status = 'active', customer = ?, subscription = ? WHERE checkout = ?`,
  )
  const renew = database.prepare('UPDATE orders SET renewals = renewals + 1 WHERE subscription = ?')
  const cancel = database.prepare(`UPDATE orders SET status = 'canceled' WHERE subscription = ?`)
  const heard = database.prepare('SELECT event FROM heard')
  const setHeard = database.prepare('INSERT OR REPLACE INTO heard VALUES (1, ?)')
  return {
    command: (name: string): StoredCommand => {
      addCommand.run(name, randomUUID(), now())
      const stored = command.get(name)
      return { id: String(stored?.id), at: Number(stored?.at) }
    },
    add: (id: string, sku: Sku): void => void addOrder.run(id, sku),
    find: (id: string): Order | null => {
      const row = order.get(id)
      if (row === undefined || !isSku(row.sku)) return null
      const status = (['paid', 'active', 'canceled'] as const).find((each) => each === row.status) ?? 'open'
      const customer = row.customer === null ? null : String(row.customer)
      return { id, sku: row.sku, status, customer, renewals: Number(row.renewals) }
    },
    subscriptionOf: (id: string): string | null => {
      const subscription = order.get(id)?.subscription
      return typeof subscription === 'string' ? subscription : null
    },
    setCheckout: (id: string, checkout: string): void => void setCheckout.run(checkout, id),
    pay: (checkout: string, customer: string | null): void => void pay.run(customer, checkout),
    activate: (checkout: string, customer: string, subscription: string): void =>
      void activate.run(customer, subscription, checkout),
    renew: (subscription: string): void => void renew.run(subscription),
    cancel: (subscription: string): void => void cancel.run(subscription),
    /** The last event that was handled. */
    lastHeard: (): string | null => {
      const last = heard.get()
      return last === undefined ? null : String(last.event)
    },
    /** Handles an event and remembers it, both or neither. */
    hear: (event: string, handle: () => void): void =>
      database.transaction(() => {
        handle()
        setHeard.run(event)
      }),
    close: database.close,
  }
}
export type Orders = ReturnType<typeof openOrders>
