import * as E from 'fp-ts/lib/Either.js'
import { attempt, type Judged, type PendingAppend } from './append.ts'
import type { Connection, Connections } from './connection.ts'
import { isStoreFailure, PostgresError } from './failures.ts'
import { lend, Refused } from './foreign.ts'
import { requireOwnRelease } from './own-release.ts'
import { runWithin } from './programs.ts'
import type { Projecting } from './projecting.ts'

/** Commits appends of different streams, and judges each. Throws defects only. */
export type Commit = (appends: ReadonlyArray<PendingAppend>) => Promise<ReadonlyArray<Judged>>

/**
 * Commits groups of appends. Without foreign code, a group is one call of one function, which is a transaction of its
 * own. With it, writes alongside follow that call one after another, as if each had the lock for itself, and then
 * projections get all events of the commit at once. A refused commit is undone and tried again in halves, down to the
 * appends that are refused alone.
 */
export const committer = (connections: Connections, projecting: Projecting, clock: () => number): Commit => {
  const { projections } = projecting

  const write = async (sql: Connection, appends: ReadonlyArray<PendingAppend>): Promise<ReadonlyArray<Judged>> => {
    const { tail, applied, events, outcomes } = await attempt(sql, appends, clock(), projections)
    // Under the log's lock, which a migration takes too.
    await requireOwnRelease(sql)
    for (const [index, { alongside }] of appends.entries()) {
      if (alongside !== undefined && outcomes[index]?._tag === 'Right')
        await lend(sql, (lent) => runWithin(lent, alongside))
    }
    if (events.length > 0 && projections.length > 0)
      await lend(sql, (lent) => projecting.apply(lent, applied, { tail, events }))
    return outcomes
  }

  const inTransaction = async (sql: Connection, appends: ReadonlyArray<PendingAppend>, onCommit: () => void) => {
    const [, judged] = await Promise.all([sql.execute('BEGIN'), write(sql, appends)])
    onCommit()
    if (await sql.commit()) return judged
    throw new Refused('the server rolled back', { cause: new Error('foreign code went on after a failed statement') })
  }

  const commitOnce = async (appends: ReadonlyArray<PendingAppend>): Promise<ReadonlyArray<Judged> | Refused> => {
    const isForeign = projections.length > 0 || appends.some(({ alongside }) => alongside !== undefined)
    let mayBeWritten = false
    const onCommit = (): void => {
      mayBeWritten = true
    }
    try {
      return await connections.use(async (connection) => {
        try {
          if (isForeign) return await inTransaction(connection, appends, onCommit)
          await requireOwnRelease(connection)
          onCommit()
          return (await attempt(connection, appends, clock(), [])).outcomes
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
      return appends.map(() => E.left({ _tag: mayBeWritten ? 'OutcomeUnknown' : 'StoreUnavailable', cause } as const))
    }
  }

  const commit: Commit = async (appends) => {
    const judged = await commitOnce(appends)
    if (!(judged instanceof Refused)) return judged
    if (appends.length === 1) return [E.left({ _tag: 'AppendRefused', cause: judged.cause })]
    const half = Math.ceil(appends.length / 2)
    return [...(await commit(appends.slice(0, half))), ...(await commit(appends.slice(half)))]
  }
  return commit
}
