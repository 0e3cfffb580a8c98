import type { PostgresReader } from '@quittance/event-store/postgres'
import type { LiveRows } from '../rebuild/fold-apart.ts'

/** The live tables of read models in the schema of a log, for those who compare them with others. */
export const postgresLiveRows = ({ query }: Pick<PostgresReader, 'query'>): LiveRows => ({
  idsAfter: async (table, after, most) => {
    const { rows } = await query(`SELECT id FROM ${table} WHERE id ~>~ $1 ORDER BY id USING ~<~ LIMIT $2`, [
      after,
      most,
    ])
    return rows.map(({ id }) => String(id))
  },
  between: async (table, after, last) =>
    (await query(`SELECT * FROM ${table} WHERE id ~>~ $1 AND id ~<=~ $2`, [after, last])).rows,
})
