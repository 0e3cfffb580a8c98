/**
 * Copies a log into another store, and proves the copy.
 *
 * @module @quittance/event-store/copy
 */

export { type Copied, copyLog } from './copy-log.ts'
export type { CopyFailure, CopyProblem, Side } from './failures.ts'
export { intoServer } from './into-server.ts'
export { intoSqlite } from './into-sqlite.ts'
export { intoStore } from './into-store.ts'
export { isProven, proveCopy } from './prove-copy.ts'
export { type ReadBack, readBack } from './read-back.ts'
export type { CopyTarget } from './target.ts'
