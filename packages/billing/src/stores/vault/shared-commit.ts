import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql, SqlProgram } from '@quittance/event-store'
import { whenUnlocked } from '@quittance/event-store/sqlite'

/**
 * Does all work of the same turn of the event loop in one transaction, and resolves once that is durable. Waits for
 * another process's lock. If the transaction fails, all of them reject and nothing is written.
 */
export const sharedCommit = ({ run }: Sql): ((work: SqlProgram<void>) => Promise<void>) => {
  let waiting: Array<SqlProgram<void>> = []
  let commit = Promise.resolve()
  return (work) => {
    if (waiting.length === 0) {
      commit = nextTurn().then(() => {
        const group = waiting
        waiting = []
        return whenUnlocked(() =>
          run(function* () {
            for (const each of group) yield* each()
          }),
        )
      })
    }
    waiting.push(work)
    return commit
  }
}
