import { rowsOf, type SqlProgram } from '@quittance/event-store'
import type { LogEnd } from './copied-log.ts'

// `copied_log` is there from the beginning of a copy, and has a row once all of it is in place.
const table = `CREATE TABLE IF NOT EXISTS copied_log (events bigint NOT NULL, hash text COLLATE "C" NOT NULL)`

/** A copy to this database begins: no service may start on it until it is complete. */
export const markBegun: SqlProgram<void> = function* () {
  yield* rowsOf(table)()
  yield* rowsOf('DELETE FROM copied_log')()
}

/** All of a log with this end is copied, with what belongs to it. */
export const markComplete = ({ events, hash }: LogEnd): SqlProgram<void> =>
  function* () {
    yield* markBegun()
    yield* rowsOf('INSERT INTO copied_log (events, hash) VALUES (?, ?)', events, hash)()
  }

/** Whether a copy to this database has begun and is not complete. */
export const isHalfCopied: SqlProgram<boolean> = function* () {
  const tables = yield* rowsOf("SELECT to_regclass('copied_log') IS NOT NULL AS found")()
  if (Boolean(tables[0]?.found) === false) return false
  return (yield* rowsOf('SELECT 1 FROM copied_log')()).length === 0
}
