import type { SqlDatabase } from '@quittance/event-store'

/**
 * Counts the commits to a file. Two equal counts: no process has committed in between. NaN, which equals nothing:
 * unknown.
 */
export type Changes = () => number

const most = 5_000

/**
 * `PRAGMA data_version` counts the commits of all other connections, in any process, but not the connection's own. If
 * the pragma fails, the count is unknown, and the next read reports why.
 */
export const changesIn = ({
  reader,
  writer,
}: {
  readonly reader: SqlDatabase
  readonly writer: SqlDatabase
}): Changes => {
  const version = reader.prepare('PRAGMA data_version')
  return () => {
    if (reader === writer) return Number.NaN
    try {
      return Number(version.get()?.data_version)
    } catch {
      return Number.NaN
    }
  }
}

/**
 * Caches the answers of `read` until something is committed to the file. Counts before it reads, so that a commit in
 * between counts as a change.
 */
export const whileUnchanged = <Asked extends ReadonlyArray<unknown>, Answer>(
  changes: Changes,
  keyOf: (...asked: Asked) => string,
  read: (...asked: Asked) => Promise<Answer>,
): ((...asked: Asked) => Promise<Answer>) => {
  const kept = new Map<string, Promise<Answer>>()
  let keptAt = Number.NaN
  return (...asked) => {
    const now = changes()
    if (now !== keptAt || kept.size >= most) kept.clear()
    keptAt = now
    const key = keyOf(...asked)
    const known = kept.get(key)
    if (known !== undefined) return known
    const answer = read(...asked)
    kept.set(key, answer)
    answer.catch(() => kept.delete(key))
    return answer
  }
}
