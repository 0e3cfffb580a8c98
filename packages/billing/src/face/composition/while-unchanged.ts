import type { SqlDatabase } from '@quittance/event-store'

/**
 * Two equal answers: nothing was committed to the file between the two questions, by whichever process. NaN, which
 * equals nothing: nobody knows.
 */
export type Changes = () => number

const most = 5_000

/**
 * SQLite counts for a connection what all others commit, in this process or another (`PRAGMA data_version`). A
 * connection that writes itself is not told of its own commits. Of a file that cannot be asked, whoever reads it says
 * why.
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
 * Reads as `read` does, and keeps the answers until something is committed to the file: a kept answer is what reading
 * again would give. The count is asked before the rows are, so that a commit between the two is taken for a change.
 */
export const whileUnchanged = <Asked extends ReadonlyArray<unknown>, Answer>(
  changes: Changes,
  keyOf: (...asked: Asked) => string,
  read: (...asked: Asked) => Answer,
): ((...asked: Asked) => Answer) => {
  const kept = new Map<string, Answer>()
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
    return answer
  }
}
