import { LeftBehind } from '../left-behind.ts'
import { NewerSchema } from '../newer-schema.ts'
import type { Connections } from './connection.ts'
import { catchUpAgain, type Projecting } from './projecting.ts'
import { requireKnownSchema } from './schema.ts'
import type { PostgresSql } from './sql.ts'

/** Errors: throws `LeftBehind` where a newer release has changed the tables of an open log beyond what this one knows. */
export const requireOwnRelease = async (sql: PostgresSql): Promise<void> => {
  try {
    await requireKnownSchema(sql)
  } catch (cause) {
    throw cause instanceof NewerSchema ? new LeftBehind(cause) : cause
  }
}

/** Whether this release still understands what the processes of others do to an open log. */
export type ReleaseWatch = {
  /**
   * Looks, and brings the read models of this release up to the log's end: processes of others do not write them. Answers why this
   * release is left behind; null while it is not. Errors: rejects with `PostgresError`.
   */
  readonly look: () => Promise<LeftBehind | null>
  /** What the last look has found. */
  readonly leftBehind: () => LeftBehind | null
}

export const releaseWatch = (readers: Connections, writer: Connections, projecting: Projecting): ReleaseWatch => {
  let found: LeftBehind | null = null
  return {
    look: async () => {
      try {
        const behind = await readers.use(async (sql) => {
          await requireOwnRelease(sql)
          return projecting.behind(sql)
        })
        await catchUpAgain(writer, behind)
        found = null
      } catch (cause) {
        if (!(cause instanceof LeftBehind)) throw cause
        found = cause
      }
      return found
    },
    leftBehind: () => found,
  }
}
