import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import type { Appended, AppendFailure, Head } from '../port.ts'
import type { SealedAppend } from '../seal-append.ts'
import { storedName, textArray } from './names.ts'
import type { PostgresProjection } from './projection.ts'
import type { PostgresResult, PostgresSql } from './sql.ts'

export type PendingAppend = SealedAppend
export type Outcome = E.Either<AppendFailure, Appended>

/** What `append_1` answers (see `append-function.ts`). */
type Answer = {
  readonly tail: number
  readonly actuals: ReadonlyArray<number>
  readonly places: ReadonlyArray<number>
  readonly genuine: ReadonlyArray<boolean>
  readonly applied: ReadonlyArray<number>
}

/** Behind the head of its stream: a repeat, or too late. The stored events tell. */
export type Behind = { readonly _tag: 'Behind'; readonly actual: bigint }

export type Judged = Outcome | Behind

/** What one call has written, and how it judged each append. */
export type Attempt = {
  readonly tail: number
  readonly applied: ReadonlyArray<number>
  readonly events: ReadonlyArray<RecordedEvent>
  readonly outcomes: ReadonlyArray<Judged>
}

/** The head never belonged to this stream: the log or the caller was changed. A person has to look. */
export const altered = (stream: string, { revision }: Head): Outcome => {
  const cause = new AlteredLog(`Event ${revision} of ${stream} has another hash than the head of the append`)
  return E.left({ _tag: 'StoreUnavailable', cause })
}

export const conflict = ({ head }: PendingAppend, actual: bigint): Outcome =>
  E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual })

const statement = `SELECT append_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS answer`

const send = (
  sql: PostgresSql,
  appends: ReadonlyArray<PendingAppend>,
  recordedAt: number,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<PostgresResult> => {
  const owners = appends.flatMap(({ events }, index) => events.map(() => index + 1))
  const events = appends.flatMap((append) => append.events.map(({ stored }) => stored))
  return sql.query(statement, [
    textArray(appends.map(({ stream }) => storedName(stream))),
    appends.map(({ head }) => head.revision),
    textArray(appends.map(({ head }) => head.hash)),
    owners,
    events.map(({ revision }) => revision),
    events.map(({ schemaVersion }) => schemaVersion),
    textArray(events.map(({ hash }) => hash)),
    textArray(events.map(({ stream }) => storedName(stream))),
    textArray(events.map(({ id }) => storedName(id))),
    textArray(events.map(({ type }) => storedName(type))),
    textArray(events.map(({ data }) => data)),
    textArray(events.map(({ metadata }) => metadata)),
    recordedAt,
    textArray(projections.map(({ name }) => name)),
    projections.map(({ version }) => version),
  ])
}

/** Our own function made this value. */
const answerOf = ({ rows }: PostgresResult): Answer => {
  const answer = rows[0]?.answer
  if (typeof answer !== 'object' || answer === null) throw new AlteredLog('append_1 of this schema is not ours')
  return answer as Answer
}

/**
 * Writes appends of different streams by one call, and judges each by the truth table (see `docs/event-store.md`), but
 * for those behind their stream's head.
 */
export const attempt = async (
  sql: PostgresSql,
  appends: ReadonlyArray<PendingAppend>,
  recordedAt: number,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<Attempt> => {
  const { tail, actuals, places, genuine, applied } = answerOf(await send(sql, appends, recordedAt, projections))
  const written: Array<RecordedEvent> = []
  const outcomes = appends.map((append, index): Judged => {
    const { stream, head, events } = append
    const actual = BigInt(actuals[index] ?? -1)
    if (head.revision < actual) return events.length === 0 ? conflict(append, actual) : { _tag: 'Behind', actual }
    if (head.revision > actual) return conflict(append, actual)
    if (genuine[index] !== true) return altered(stream, head)
    const own = events.map(({ recorded }, n) => {
      const position = BigInt(tail + written.length + n + 1)
      return { ...recorded, position, recordedAt }
    })
    written.push(...own)
    const last = own.at(-1)
    return last === undefined
      ? E.right({ head, position: BigInt(places[index] ?? 0), events: [] })
      : E.right({ head: { revision: last.revision, hash: last.metadata.hash }, position: last.position, events: own })
  })
  return { tail, applied, events: written, outcomes }
}
