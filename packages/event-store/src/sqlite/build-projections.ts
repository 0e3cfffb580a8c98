import type { InlineProjection } from '../inline-projection.ts'
import { openDatabase } from './database.ts'
import { catchUpInTurns } from './projecting.ts'
import { createSchema } from './schema.ts'

/**
 * Brings inline projections up to the end of the log in a file, as opening the log does, but in turns with the process's
 * other work. Errors: as `sqliteEventStore`.
 */
export const buildProjections = async (path: string, projections: ReadonlyArray<InlineProjection>): Promise<void> => {
  const sql = openDatabase(path, { durability: 'full', returnsSpace: true })
  try {
    createSchema(sql)
    await catchUpInTurns(sql, projections)
  } finally {
    sql.close()
  }
}
