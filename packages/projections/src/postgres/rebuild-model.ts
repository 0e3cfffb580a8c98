import { AlteredLog, type PostgresLogSession, type PostgresLogSql } from '@quittance/event-store/postgres'
import type { Difference } from '../rebuild/compare.ts'
import { type ModelRebuilding, mostDifferences, type Rebuilt, rowsAtOnce } from '../rebuild/rebuild-model.ts'
import { tableName } from '../table-rows.ts'
import { compareAfter, holdMarks, livePosition, rebuiltName, replaceLive } from './rebuilt-table.ts'
import type { PostgresRowWriter } from './write-rows.ts'

/** Counts a read model's events in the log. */
export const countEvents = async (sql: PostgresLogSql, { category }: PostgresRowWriter): Promise<number> => {
  // Positions count all events.
  if (category === null) return sql.end()
  // The streams between `category-` and `category.`, the next character, by the index of streams.
  const counted = await sql.query('SELECT count(*) AS events FROM events WHERE stream >= $1 AND stream < $2', [
    `${category}-`,
    `${category}.`,
  ])
  return Number(counted.rows[0]?.events)
}

/**
 * Builds a read model's table from the log beside the live one, compares the two and puts the new one in place. Stores
 * may append meanwhile: only the switch makes them wait. The rows are compared, and counted, in one state of the database.
 * Errors: throws `AlteredLog`, `PostgresError`, and what the fold throws. The live table is as it was then.
 */
export const rebuildModel = async (
  { transaction }: PostgresLogSession,
  writer: PostgresRowWriter,
  { compareOnly, onProgress }: ModelRebuilding,
): Promise<Rebuilt> => {
  const [live, rebuilt] = [tableName(writer), rebuiltName(writer)]
  const filter = writer.category === null ? undefined : { streamPrefixes: [`${writer.category}-`] }
  const drop = () => transaction('usual', (sql) => sql.execute(`DROP TABLE IF EXISTS ${rebuilt}`))
  let [reached, events, comparedRows] = [0, 0, 0]
  let all = await transaction('usual', (sql) => countEvents(sql, writer))
  const tell = (): void => {
    all = Math.max(all, events)
    onProgress({ done: events, all, comparedRows })
  }

  /** Applies the next batch up to a position. */
  const advance = async (sql: PostgresLogSql, end: number): Promise<void> => {
    const batch = await sql.batch(reached, end, filter)
    if (batch.events.length > 0) await writer.apply(sql, rebuilt, batch.events)
    reached = batch.reached
    events += batch.events.length
  }
  const advanceTo = async (sql: PostgresLogSql, end: number): Promise<void> => {
    while (reached < end) await advance(sql, end)
  }
  /** Where the live table is, if it was there from the beginning, or else the log's end. */
  const target = async (sql: PostgresLogSql, isComparable: boolean): Promise<number> => {
    const [position, end] = [isComparable ? await livePosition(sql, writer) : null, await sql.end()]
    if (position !== null && position > end)
      throw new AlteredLog(`${writer.name} has applied position ${position}, but the log ends at ${end}`)
    return position ?? end
  }
  /** Applies the log in short transactions, as far as it goes at the beginning. */
  const build = async (upTo: (sql: PostgresLogSql) => Promise<number>): Promise<void> => {
    const end = await transaction('usual', upTo)
    while (reached < end) {
      await transaction('usual', (sql) => advance(sql, end))
      tell()
    }
  }
  /** Compares all rows where both tables have applied the same events. */
  const compare = async (sql: PostgresLogSql): Promise<Pick<Rebuilt, 'differing' | 'differences'>> => {
    const differences: Array<Difference> = []
    let differing = 0
    for (let after: string | null = ''; after !== null; ) {
      const stretch = await compareAfter(sql, [live, rebuilt], after, rowsAtOnce)
      differing += stretch.differences.length
      differences.push(...stretch.differences.slice(0, mostDifferences - differences.length))
      comparedRows += stretch.ids
      after = stretch.last
      tell()
    }
    return { differing, differences }
  }
  const found = (isComparable: boolean) =>
    transaction('repeatable', async (sql) => {
      await advanceTo(sql, await target(sql, isComparable))
      const { rows } = await sql.query(`SELECT count(*) AS rows FROM ${rebuilt}`)
      const compared = isComparable ? await compare(sql) : { differing: 0, differences: [] }
      return { events, rows: Number(rows[0]?.rows), compared: isComparable, ...compared }
    })
  const finish = async (): Promise<void> => {
    await build((sql) => sql.end())
    // Readers would plan without knowing anything of the new table.
    await transaction('usual', (sql) => sql.execute(`ANALYZE ${rebuilt}`))
    await transaction('usual', async (sql) => {
      await holdMarks(sql)
      await advanceTo(sql, await sql.end())
      await replaceLive(sql, writer, reached)
    })
  }

  await drop()
  try {
    await transaction('usual', (sql) => writer.create(sql, rebuilt))
    const isComparable = (await transaction('usual', (sql) => livePosition(sql, writer))) !== null
    // Twice: what was appended during the first time is soon built, and little is left for the transactions to come.
    for (const _ of [1, 2]) await build((sql) => target(sql, isComparable))
    const facts = await found(isComparable)
    if (compareOnly) await drop()
    else await finish()
    return { model: writer.name, version: writer.version, ...facts, switched: !compareOnly }
  } catch (failure) {
    // The first failure says more than a failed clean-up, which the next rebuild repeats.
    await drop().catch(() => undefined)
    throw failure
  }
}
