import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { attempt, type Judged, type PendingAppend } from './append.ts'
import type { Connection, Connections } from './connection.ts'
import { isStoreFailure, PostgresError } from './failures.ts'
import { lend, Refused } from './foreign.ts'
import type { Projecting } from './projecting.ts'

/** Commits appends of different streams, and judges each. Throws defects only. */
export type Commit = (appends: ReadonlyArray<PendingAppend>) => Promise<ReadonlyArray<Judged>>

/** What a transaction has written so far. `applied` and `tail` are those before its first event. */
type Progress = {
  readonly tail: number
  readonly applied: ReadonlyArray<number>
  readonly events: ReadonlyArray<RecordedEvent>
  readonly judged: ReadonlyArray<Judged>
}

/**
 * Commits groups of appends. Without foreign code, a group is one call of one function, which is a transaction of its
 * own. With it, appends that have nothing alongside still share a call, and projections get all events of the commit at
 * once. A refused commit is undone and tried again in halves, down to the appends that are refused alone.
 */
export const committer = (connections: Connections, projecting: Projecting, clock: () => number): Commit => {
  const { projections } = projecting

  const write = async (sql: Connection, appends: ReadonlyArray<PendingAppend>, so: Progress): Promise<Progress> => {
    const { tail, applied, events, outcomes } = await attempt(sql, appends, clock(), projections)
    for (const [index, { alongside }] of appends.entries()) {
      if (alongside !== undefined && outcomes[index]?._tag === 'Right') await lend(sql, alongside)
    }
    const before = so.events.length > 0 ? so : { tail, applied }
    return { ...before, events: [...so.events, ...events], judged: [...so.judged, ...outcomes] }
  }

  /** Writes what has nothing alongside by one call, and each other append by its own. */
  const writeAll = async (sql: Connection, calls: ReadonlyArray<ReadonlyArray<PendingAppend>>) => {
    let progress: Progress = { tail: 0, applied: [], events: [], judged: [] }
    for (const call of calls) progress = await write(sql, call, progress)
    const { events, applied, judged } = progress
    if (events.length > 0 && projections.length > 0)
      await lend(sql, (lent) => projecting.apply(lent, applied, progress))
    return judged
  }

  const inTransaction = async (
    connection: Connection,
    calls: ReadonlyArray<ReadonlyArray<PendingAppend>>,
    onCommit: () => void,
  ): Promise<ReadonlyArray<Judged>> => {
    const [, judged] = await Promise.all([connection.execute('BEGIN'), writeAll(connection, calls)])
    onCommit()
    if (await connection.commit()) return judged
    throw new Refused('the server rolled back', { cause: new Error('foreign code went on after a failed statement') })
  }

  const alone = async (connection: Connection, appends: ReadonlyArray<PendingAppend>, onCommit: () => void) => {
    onCommit()
    return (await attempt(connection, appends, clock(), [])).outcomes
  }

  const commit = async (plain: ReadonlyArray<PendingAppend>, others: ReadonlyArray<PendingAppend>) => {
    const calls = [...(plain.length > 0 ? [plain] : []), ...others.map((append) => [append])]
    const isAlone = projections.length === 0 && others.length === 0
    let mayBeWritten = false
    const onCommit = (): void => {
      mayBeWritten = true
    }
    try {
      return await connections.use(async (connection) => {
        try {
          return await (isAlone ? alone(connection, plain, onCommit) : inTransaction(connection, calls, onCommit))
        } catch (cause) {
          // A session that goes on has undone its transaction. Of one that ended during the commit, nobody knows.
          const isUnsent = cause instanceof PostgresError && cause.isUnsent
          if (mayBeWritten) mayBeWritten = !isUnsent && !(await connection.undo())
          throw cause
        }
      })
    } catch (cause) {
      if (cause instanceof Refused) return cause
      if (!isStoreFailure(cause)) throw cause
      const failure = E.left({ _tag: mayBeWritten ? 'OutcomeUnknown' : 'StoreUnavailable', cause } as const)
      return [...plain, ...others].map(() => failure)
    }
  }

  const commitAll: Commit = async (appends) => {
    const plain = appends.filter(({ alongside }) => alongside === undefined)
    const others = appends.filter(({ alongside }) => alongside !== undefined)
    const judged = await commit(plain, others)
    if (!(judged instanceof Refused)) {
      const byAppend = new Map([...plain, ...others].map((append, index) => [append, judged[index]]))
      return appends.map((append) => requireJudged(byAppend.get(append)))
    }
    if (appends.length === 1) return [E.left({ _tag: 'AppendRefused', cause: judged.cause })]
    const half = Math.ceil(appends.length / 2)
    return [...(await commitAll(appends.slice(0, half))), ...(await commitAll(appends.slice(half)))]
  }
  return commitAll
}

const requireJudged = (judged: Judged | undefined): Judged => {
  if (judged === undefined) throw new Error('An append was committed without an answer')
  return judged
}
