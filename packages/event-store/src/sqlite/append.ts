import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import type { LogTail } from '../chain.ts'
import type { Appended, AppendFailure, Head } from '../port.ts'
import type { SealedAppend } from '../seal-append.ts'
import type { SqlDatabase } from '../sql.ts'
import type { Archived } from './archive/archived.ts'
import { isStoreFailure } from './failures.ts'
import type { KnownHeads } from './heads.ts'
import { eventInserter } from './insert.ts'
import { runWithin } from './programs.ts'
import type { Projecting } from './projecting.ts'
import { archivedReader } from './read.ts'
import { eventColumns, recordedFromRow, type StoredHead } from './rows.ts'

type Outcome = E.Either<AppendFailure, Appended>

/** Writes one append inside the running transaction; called for each append of a group, after all others. */
export type WriteAppend = (append: SealedAppend, recordedAt: number, projects: Projects) => Outcome

/** When the events of an append reach the projections. */
export type Projects =
  /** At once; what a projection refuses is not written. */
  | { readonly _tag: 'Apart' }
  /** After those of the appends that follow, unless foreign code has to see their rows; `waiting` holds them until then. */
  | { readonly _tag: 'Together'; readonly waiting: RecordedEvent[] }

/** Applies what waits. Errors: throws what a projection throws. */
export const projectWaiting = ({ applyAll }: Projecting, projects: Projects): void => {
  if (projects._tag === 'Together' && projects.waiting.length > 0) applyAll(projects.waiting.splice(0))
}

/** The head never belonged to this stream: the log or the caller was changed. A person has to look. */
const altered = (stream: string, { revision }: Head): Outcome => {
  const cause = new AlteredLog(`Event ${revision} of ${stream} has another hash than the head of the append`)
  return E.left({ _tag: 'StoreUnavailable', cause })
}

/**
 * The truth table of appends (see `docs/event-store.md`). A conflict writes nothing. Alongside writes, and projections of an
 * append apart, run in a savepoint, so that their refusal undoes only this append.
 * Errors: throws failures that `isStoreFailure` recognizes; the caller must then roll back its transaction.
 */
export const appendWriter = (
  sql: SqlDatabase,
  archived: Archived,
  known: KnownHeads,
  projecting: Projecting,
): WriteAppend => {
  const insert = eventInserter(sql)
  const inSegments = archivedReader(archived)
  const live = sql.prepare(
    `SELECT ${eventColumns} FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision`,
  )
  const between = (stream: string, first: number, last: number): ReadonlyArray<RecordedEvent> => {
    const archivedLast = Math.min(last, archived.head(stream)?.revision ?? -1)
    const rows = live.all(stream, first, last).map(recordedFromRow)
    return archivedLast < first ? rows : [...inSegments(stream, first, archivedLast), ...rows]
  }

  const insertAll = ({ events }: SealedAppend, from: StoredHead, recordedAt: number) => {
    let tail: LogTail = known.tail()
    let head = from
    const written: RecordedEvent[] = []
    for (const { stored, recorded } of events) {
      tail = insert(tail, stored, recordedAt)
      head = { revision: stored.revision, hash: stored.hash, position: tail.position }
      written.push({ ...recorded, position: BigInt(tail.position), recordedAt })
    }
    return { head, tail, written }
  }

  const write = (append: SealedAppend, from: StoredHead, recordedAt: number, projects: Projects): Outcome => {
    if (append.alongside !== undefined) runWithin(sql, append.alongside)
    const { head, tail, written } = insertAll(append, from, recordedAt)
    if (projects._tag === 'Apart') projecting.applyAll(written)
    else projects.waiting.push(...written)
    known.advance(append.stream, head, tail)
    return E.right({
      head: { revision: BigInt(head.revision), hash: head.hash },
      position: BigInt(head.position),
      events: written,
    })
  }

  const writeOrRefuse = (append: SealedAppend, from: StoredHead, recordedAt: number, projects: Projects): Outcome => {
    if (append.alongside === undefined && projects._tag === 'Together') return write(append, from, recordedAt, projects)
    projectWaiting(projecting, projects)
    try {
      return sql.transaction(() => write(append, from, recordedAt, projects))
    } catch (cause) {
      if (isStoreFailure(cause)) throw cause
      return E.left({ _tag: 'AppendRefused', cause })
    }
  }

  /** The stored events, if an append repeats exactly them. */
  const repeated = ({ stream, head, events }: SealedAppend): Outcome | null => {
    const exp = Number(head.revision)
    const rows = between(stream, exp + 1, exp + events.length)
    const last = rows.at(-1)
    if (last === undefined || rows.length < events.length) return null
    if (rows.some((row, index) => row.id !== events[index]?.stored.id)) return null
    if (exp >= 0 && between(stream, exp, exp)[0]?.metadata.hash !== head.hash) return altered(stream, head)
    return E.right({
      head: { revision: last.revision, hash: last.metadata.hash },
      position: last.position,
      events: rows,
    })
  }

  return (append, recordedAt, projects) => {
    const expected = Number(append.head.revision)
    const current = known.head(append.stream)
    if (expected === current.revision) {
      if (append.head.hash !== current.hash) return altered(append.stream, append.head)
      return writeOrRefuse(append, current, recordedAt, projects)
    }
    const repeat = expected < current.revision ? repeated(append) : null
    return (
      repeat ??
      E.left({ _tag: 'WrongExpectedRevision', expected: append.head.revision, actual: BigInt(current.revision) })
    )
  }
}
