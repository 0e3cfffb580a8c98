import { emptyDigest, type LogTail } from '../chain.ts'
import { chainCheck, type LoggedEvent, type Problem } from '../chain-check.ts'
import { about, checkHeads, type Report } from '../expected-heads.ts'
import { type Connections, connections } from './connection.ts'
import { connectionOptionsOf, type PostgresLogOptions } from './options.ts'
import { readTail } from './read.ts'
import { eventColumns, integer, storedFromRow, text } from './rows.ts'
import { readSchemaVersion } from './schema.ts'
import type { PostgresSql } from './sql.ts'

/** What `verify` has found. */
export type Verification = {
  readonly ok: boolean
  /** The number of events. */
  readonly events: number
  readonly problems: ReadonlyArray<Problem>
  /** The log's end at the start of the verification; null without a log. */
  readonly head: LogTail | null
}

const positionsPerBatch = 2_000

const select = `SELECT ${eventColumns}, encode(digest, 'hex') AS digest FROM events
  WHERE position > $1 AND position <= $2 ORDER BY position`

const readBatch = async ({ use }: Connections, after: number, end: number): Promise<ReadonlyArray<LoggedEvent>> => {
  const { rows } = await use((sql) => sql.query(select, [after, Math.min(after + positionsPerBatch, end)]))
  return rows.map((row) => ({
    event: storedFromRow(row),
    position: integer(row, 'position'),
    digest: text(row, 'digest'),
  }))
}

/** Checks that the index of streams is there, and that no projection is ahead of the log. */
const checkTables = async (sql: PostgresSql, report: Report): Promise<void> => {
  const index = await sql.query(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('events_by_stream') AND indisunique AND indisvalid`,
  )
  if (index.rows.length === 0) report(about('the unique index events_by_stream is missing or not valid'))
  const { rows } = await sql.query(
    `SELECT (SELECT coalesce(max(position), 0) FROM events) AS last,
      (SELECT coalesce(max(position), 0) FROM inline_projections) AS applied`,
  )
  const [last, applied] = [integer(rows[0], 'last'), integer(rows[0], 'applied')]
  if (applied > last)
    report(about(`its end is missing: read models have applied position ${applied}, and the log ends at ${last}`))
}

const checkLog = async (log: Connections, end: number, expected: ReadonlyArray<LogTail>, report: Report) => {
  const wanted = new Set(expected.map(({ position }) => position))
  const digests = new Map([[0, emptyDigest]])
  const chains = chainCheck(report)
  let events = 0
  const batchAfter = (after: number) => (after < end ? readBatch(log, after, end) : null)
  let next = batchAfter(0)
  for (let after = 0; next !== null; after += positionsPerBatch) {
    const batch: ReadonlyArray<LoggedEvent> = await next
    // Read while this batch is checked.
    next = batchAfter(after + positionsPerBatch)
    next?.catch(() => undefined)
    for (const logged of batch) {
      chains.check(logged)
      if (wanted.has(logged.position)) digests.set(logged.position, logged.digest)
    }
    events += batch.length
  }
  checkHeads(report, expected, digests)
  return events
}

/**
 * Proves that a log is unaltered: every hash, every link of the streams' chains, gapless revisions and positions, and the
 * running digest. Covers the log up to its end at the start, while it is in use. `expected` are heads kept outside the
 * store; against them even a cut tail shows. Whether indexes and pages agree is for `pg_amcheck` to say.
 * Errors: rejects with `NewerSchema`, and with `PostgresError` where the log cannot be read.
 */
export const verify = async (
  options: PostgresLogOptions,
  { expected = [] }: { readonly expected?: ReadonlyArray<LogTail> } = {},
): Promise<Verification> => {
  const within = connectionOptionsOf(options)
  const log = connections(within, 1)
  const problems: Problem[] = []
  const report: Report = (problem) => void problems.push(problem)
  try {
    if ((await log.use((sql) => readSchemaVersion(sql, within.schema))) === 0)
      return { ok: false, events: 0, problems: [about(`the schema ${within.schema} holds no event log`)], head: null }
    const head = await log.use(readTail)
    const events = await checkLog(log, head.position, expected, report)
    await log.use((sql) => checkTables(sql, report))
    return { ok: problems.length === 0, events, problems, head }
  } finally {
    await log.close()
  }
}
