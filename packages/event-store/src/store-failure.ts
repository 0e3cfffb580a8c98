import { isOutsideWorld } from './postgres/failures.ts'
import { isStoreFailure as isSqliteFailure } from './sqlite/failures.ts'

/** Whether a database failed (disk, file, lock, server, connection), rather than our code or other code's refusal. */
export const isStoreFailure = (error: unknown): boolean => isSqliteFailure(error) || isOutsideWorld(error)
