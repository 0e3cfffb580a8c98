import type { SqlDatabase } from '@quittance/event-store'

/**
 * Does all work of the same turn of the event loop in one transaction, and resolves once that is durable. If the
 * transaction fails, all of them reject and nothing is written.
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
