import type { SqlDatabase } from '@quittance/event-store'

/**
 * Does work in a transaction that is shared with all that is asked for in the same turn, and resolves once it is as durable
 * as the file is. Rejects, for all of them, where the transaction fails: then nothing of it was done.
 */
export const sharedCommit = (sql: SqlDatabase): ((work: () => void) => Promise<void>) => {
  let waiting: Array<() => void> = []
  let commit = Promise.resolve()
  return (work) => {
    if (waiting.length === 0) {
      commit = new Promise((resolve, reject) => {
        setImmediate(() => {
          const group = waiting
          waiting = []
          try {
            sql.transaction(() => {
              for (const each of group) each()
            })
            resolve()
          } catch (cause) {
            reject(cause)
          }
        })
      })
    }
    waiting.push(work)
    return commit
  }
}
