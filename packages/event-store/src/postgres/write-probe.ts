import { changesOf, rowsOf, type Sql, type SqlProgram, type SqlRun } from '../sql-program.ts'
import type { Writability } from '../writability.ts'
import { isOutsideWorld, PostgresError } from './failures.ts'

const table = 'write_probe'
const run: SqlRun = { isolation: { level: 'read committed', because: 'its row is its own' } }

/** Adds a row and takes it away, so that processes neither wait for one another nor leave anything. */
const probe = ({ dialect }: Sql): SqlProgram<void> =>
  function* () {
    if ((yield* rowsOf(dialect.hasTable, table)()).length === 0) {
      yield* rowsOf(dialect.openingLock)()
      yield* rowsOf(`CREATE TABLE IF NOT EXISTS ${table} (number bigint GENERATED ALWAYS AS IDENTITY)`)()
    }
    const [row] = yield* rowsOf(`INSERT INTO ${table} DEFAULT VALUES RETURNING number`)()
    yield* changesOf(`DELETE FROM ${table} WHERE number = ?`, Number(row?.number))()
  }

const writabilities: Readonly<Record<string, Writability>> = {
  '25006': 'read_only',
  '53100': 'full',
  '55P03': 'locked',
}

const isOfSession = (cause: unknown): boolean =>
  cause instanceof PostgresError && (cause.code === null || cause.code === '57P01')

/** Commits to a database durably, and answers how that went. One session that the server has ended says nothing of others. */
export const probePostgres = async (sql: Sql): Promise<Writability> => {
  const probeOnce = () => sql.run(probe(sql), run)
  try {
    await probeOnce().catch((cause) => (isOfSession(cause) ? probeOnce() : Promise.reject(cause)))
    return 'ok'
  } catch (cause) {
    if (!(cause instanceof PostgresError) || !isOutsideWorld(cause)) throw cause
    return writabilities[cause.code ?? ''] ?? 'failing'
  }
}
