import { setImmediate as nextTurn } from 'node:timers/promises'
import { emptyDigest, type LogTail } from '../chain.ts'
import { chainCheck, type Problem } from '../chain-check.ts'
import { about, checkHeads, type Report } from '../expected-heads.ts'
import type { SqlDatabase } from '../sql.ts'
import { logSegments } from './archive/archived.ts'
import { segmentCheck } from './archive/check-segments.ts'
import { openDatabase } from './database.ts'
import { readTail } from './heads.ts'
import { pageFindings, pageFindingsAside, reason } from './page-findings.ts'
import { integer, text } from './rows.ts'
import { readSchemaVersion } from './schema.ts'
import {
  attempt,
  type EventName,
  namesFromIndex,
  namesStatement,
  type TolerantRow,
  tolerantLog,
  tolerantReader,
} from './tolerant-read.ts'
import { isSoundInParts } from './verify-in-parts.ts'

export type Verification = {
  readonly ok: boolean
  /** The number of readable events. */
  readonly events: number
  readonly problems: ReadonlyArray<Problem>
  /** The log's end at the start of the verification; null where it is unreadable. */
  readonly head: LogTail | null
}

export type VerifyOptions = {
  /** Heads kept outside the store; against them even a cut tail shows. */
  readonly expected?: ReadonlyArray<LogTail>
  /** How many positions a thread checks at a time. A log of fewer positions, or with an archive, is checked by one thread. */
  readonly positionsPerPart?: number
}

const usualPart = 25_000

/** Checks for a log whose end is behind its projections, dropped parts, and the structure of all pages. */
const checkFile = (sql: SqlDatabase, ofPages: ReadonlyArray<string>, report: Report): void => {
  const index = attempt(() => namesStatement(sql))
  if ('failure' in index) report(about(`file: ${reason(index.failure)}`))
  const ahead = attempt(() =>
    sql
      .prepare(
        `SELECT (SELECT coalesce(max(position), 0) FROM events) AS last, coalesce(max(position), 0) AS applied
         FROM inline_projections`,
      )
      .get(),
  )
  if ('value' in ahead) {
    const { last, applied } = {
      last: integer(ahead.value ?? {}, 'last'),
      applied: integer(ahead.value ?? {}, 'applied'),
    }
    if (applied > last)
      report(about(`its end is missing: read models have applied position ${applied}, and the log ends at ${last}`))
  } else report(about(`file: ${reason(ahead.failure)}`))
  for (const finding of ofPages) report(about(`file: ${finding}`))
}

const checkLog = async (
  sql: SqlDatabase,
  end: number,
  report: Report,
  expected: ReadonlyArray<LogTail>,
): Promise<number> => {
  const log = tolerantLog(sql)
  const segments = segmentCheck(sql, report)
  const wanted = new Set(expected.map(({ position }) => position))
  const digests = new Map([[0, emptyDigest]])
  const chains = chainCheck(report)
  let names: ReadonlyMap<number, EventName> | null = null
  let events = 0

  const check = ({ position, logged }: TolerantRow): void => {
    if (logged === null) {
      names ??= namesFromIndex(sql)
      const name = names.get(position) ?? { stream: null, revision: null }
      report({ ...name, problem: `cannot be read, at position ${position}` })
      chains.skip(position)
      return
    }
    events += 1
    chains.check(logged)
    if (wanted.has(position)) digests.set(position, logged.digest)
  }

  try {
    for (let after = 0; after < end; ) {
      const { rows, reached, segment } = log.batch(after, end)
      if (segment !== null) await segments.check(segment, after, reached, rows)
      for (const row of rows) check(row)
      if (segment !== null && rows.length === 0) chains.skipPart(reached, segment.digest)
      else if (segment?.last === reached) segments.checkHeads(segment, chains.ends())
      after = reached
      await nextTurn()
    }
  } finally {
    log.close()
  }
  checkHeads(report, expected, digests)
  return events
}

const lastNamedPosition = (sql: SqlDatabase): number => {
  let last = 0
  for (const position of namesFromIndex(sql).keys()) last = Math.max(last, position)
  return last
}

/** The last named position of a log and its tail, or null where it is unreadable. */
export const logEnd = (sql: SqlDatabase): { readonly head: LogTail | null; readonly end: number } => {
  const tail = attempt(() => readTail(sql))
  return 'value' in tail ? { head: tail.value, end: tail.value.position } : { head: null, end: lastNamedPosition(sql) }
}

/** Whether a log is sound that threads can open; false where one thread has to check it. */
const isSoundAtOnce = async (sql: SqlDatabase, path: string | null, end: number, perPart: number): Promise<boolean> => {
  if (path === null) return false
  const segments = attempt(() => logSegments(sql))
  return 'value' in segments && segments.value.length === 0 && (await isSoundInParts(sql, path, end, perPart))
}

/** The running digests at the positions of heads that the log holds. */
const digestsAt = (sql: SqlDatabase, heads: ReadonlyArray<LogTail>): ReadonlyMap<number, string> => {
  const digest = sql.prepare('SELECT digest FROM events WHERE position = ?')
  const found = heads.flatMap(({ position }): ReadonlyArray<[number, string]> => {
    const row = digest.get(position)
    return row === undefined ? [] : [[position, text(row, 'digest')]]
  })
  return new Map([[0, emptyDigest], ...found])
}

const verifyOpen = async (
  sql: SqlDatabase,
  path: string | null,
  { expected = [], positionsPerPart = usualPart }: VerifyOptions,
): Promise<Verification> => {
  const problems: Problem[] = []
  const report: Report = (problem) => void problems.push(problem)
  const { head, end } = logEnd(sql)
  const byThreads = end > positionsPerPart ? path : null
  const pagesAside = byThreads === null ? null : pageFindingsAside(byThreads)
  const isSound = await isSoundAtOnce(sql, byThreads, end, positionsPerPart)
  const events = isSound ? end : await checkLog(sql, end, report, expected)
  if (isSound) checkHeads(report, expected, digestsAt(sql, expected))
  checkFile(sql, (await pagesAside) ?? pageFindings(sql), report)
  return { ok: problems.length === 0, events, problems, head }
}

const unreadable = (failure: unknown): Verification => {
  const problem = about(`the file cannot be read: ${reason(failure)}`)
  return { ok: false, events: 0, problems: [problem], head: null }
}

/** The answer for a database without a verifiable log; null otherwise. Errors: throws `NewerSchema`. */
const whyUnreadable = (sql: SqlDatabase): Verification | null => {
  const version = attempt(() => readSchemaVersion(sql))
  if ('failure' in version) return unreadable(version.failure)
  if (version.value === 0) return unreadable('it holds no event log')
  const reader = attempt(() => tolerantReader(sql))
  return 'failure' in reader ? unreadable(reader.failure) : null
}

/**
 * Opens a log for reading, or answers why it cannot be verified.
 * Errors: throws `NewerSchema`.
 */
export const openLog = (path: string): { readonly sql: SqlDatabase } | { readonly unreadable: Verification } => {
  const opened = attempt(() => openDatabase(path, { durability: 'full', readOnly: true }))
  if ('failure' in opened) return { unreadable: unreadable(opened.failure) }
  const sql = opened.value
  try {
    const verification = whyUnreadable(sql)
    if (verification === null) return { sql }
    sql.close()
    return { unreadable: verification }
  } catch (error) {
    sql.close()
    throw error
  }
}

/**
 * Proves that a log is unaltered: every hash, every link of the streams' chains, gapless revisions and positions, the
 * running digest, and the structure of the file. Covers the log's content at the start, even while the file is in use.
 * A missing or torn file, or one without a table, is a problem, not an error.
 * Errors: throws `NewerSchema`.
 */
export const verify = async (source: string | SqlDatabase, options: VerifyOptions = {}): Promise<Verification> => {
  if (typeof source !== 'string') return whyUnreadable(source) ?? verifyOpen(source, null, options)
  const opened = openLog(source)
  if ('unreadable' in opened) return opened.unreadable
  try {
    return await verifyOpen(opened.sql, source, options)
  } finally {
    opened.sql.close()
  }
}
