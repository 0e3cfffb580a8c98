import { AlteredLog } from '../altered-log.ts'
import type { SqlDatabase } from '../sql.ts'
import { archivedPart } from './archive/archived.ts'
import { readTail } from './heads.ts'
import { integer } from './rows.ts'

/** The last position from `first` to `last` that was recorded before a moment; `first - 1` without one. By bisection. */
export const lastBefore = (
  recordedAt: (position: number) => number,
  first: number,
  last: number,
  moment: number,
): number => {
  let [found, beyond] = [first - 1, last + 1]
  while (beyond - found > 1) {
    const middle = Math.floor((found + beyond) / 2)
    if (recordedAt(middle) < moment) found = middle
    else beyond = middle
  }
  return found
}

/** When an event was recorded that is in this file. Errors: throws `AlteredLog` where it is missing. */
export const recordedAtIn = (sql: SqlDatabase): ((position: number) => number) => {
  const statement = sql.prepare('SELECT recorded_at FROM events WHERE position = ?')
  return (position) => {
    const row = statement.get(position)
    if (row === undefined) throw new AlteredLog(`Position ${position} of the log is missing`)
    return integer(row, 'recorded_at')
  }
}

/** As the port's `lastBefore`, with archived events. Errors: throws `AlteredLog` where a segment is missing. */
export const lastInLogBefore = (sql: SqlDatabase, moment: number): number => {
  const archived = archivedPart(sql)
  const live = recordedAtIn(sql)
  const inArchive = (position: number): number => recordedAtIn(archived.open(archived.holding(position)))(position)
  // Asked each time, because another process may archive meanwhile.
  const recordedAt = (position: number) => (position <= archived.end() ? inArchive(position) : live(position))
  return lastBefore(recordedAt, 1, readTail(sql).position, moment)
}
