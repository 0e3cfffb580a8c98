import type { Sql } from '@quittance/event-store'
import { exists, write } from './sql/query.ts'

/** Work that was done once over the whole log, after a release that records more than earlier ones. */
export interface Backfills {
  readonly isDone: (name: string) => Promise<boolean>
  readonly finish: (name: string) => Promise<void>
}

export const backfillTable = 'CREATE TABLE IF NOT EXISTS backfills (name TEXT PRIMARY KEY) STRICT'

const find = exists('SELECT 1 FROM backfills WHERE name = ?')
const add = write('INSERT INTO backfills VALUES (?) ON CONFLICT DO NOTHING')

export const backfills = ({ run }: Sql): Backfills => ({
  isDone: (name) => run(find(name)),
  finish: (name) => run(add(name)),
})
