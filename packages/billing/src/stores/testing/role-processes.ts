import type { NewEvent } from '@quittance/domain'
import { type EventStore, rowsOf, type Sql, type SqlProgram } from '@quittance/event-store'
import { fencedSql, fencedStore } from '../../kernel/fence.ts'
import { create } from '../sql/schema.ts'
import { openTables } from '../tables.ts'

/** What one process has open of a database that several share. */
export type OpenDatabase = { readonly sql: Sql; readonly store: EventStore; readonly close: () => Promise<void> }

/** A process of a test: the time is a row of the database. What it writes by `sql` and `store` passes its fence. */
export type RoleProcess = {
  readonly sql: Sql
  /** For its roles: not fenced. */
  readonly plain: Sql
  readonly store: EventStore
  readonly close: () => Promise<void>
}

const tables = `
  CREATE TABLE IF NOT EXISTS moved_clock (ms INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS written (
    place INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT NOT NULL, epoch INTEGER NOT NULL
  ) STRICT`

const begin = 1_800_000_000_000

/** Makes the tables and starts the clock, in one process, before the others open the database. */
export const prepareDatabase = async ({ sql }: Pick<OpenDatabase, 'sql'>): Promise<void> => {
  await sql.run(openTables(sql.dialect))
  await sql.run(create(sql.dialect, tables))
  await sql.run(rowsOf('INSERT INTO moved_clock VALUES (?)', begin))
}

export const roleProcess = ({ sql, store, close }: OpenDatabase): RoleProcess => {
  const plain = { ...sql, dialect: { ...sql.dialect, now: '(SELECT ms FROM moved_clock)' } }
  return { sql: fencedSql(plain), plain, store: fencedStore(store), close }
}

/** Moves the clock of the database. */
export const pass = async ({ run }: Sql, ms: number): Promise<void> => {
  await run(rowsOf('UPDATE moved_clock SET ms = ms + ?', ms))
}

/** Writes a row that notes which epoch of a role stands at that moment. */
export const writeNote = (note: string, role: string): SqlProgram<void> =>
  function* () {
    yield* rowsOf('INSERT INTO written (note, epoch) SELECT ?, epoch FROM worker_roles WHERE name = ?', note, role)()
  }

export const notesIn = async ({
  run,
}: Sql): Promise<ReadonlyArray<{ readonly note: string; readonly epoch: number }>> =>
  (await run(rowsOf('SELECT note, epoch FROM written ORDER BY place'))).map(({ note, epoch }) => ({
    note: String(note),
    epoch: Number(epoch),
  }))

export const noteEvent = (id: string): NewEvent => ({
  id,
  type: 'Noted',
  schemaVersion: 1,
  data: { note: id },
  context: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: `command of ${id}`,
    correlationId: 'correlation',
    causationId: null,
    actor: 'process',
    occurredAt: begin,
  },
})

export const eventIdsIn = async (store: EventStore): Promise<ReadonlyArray<string>> =>
  (await Array.fromAsync(store.readAll(0n))).map(({ id }) => id)
