import { Worker } from 'node:worker_threads'
import type { SqlDatabase } from '../sql.ts'
import { text } from './rows.ts'
import { attempt } from './tolerant-read.ts'

const mostFindings = 100

export const reason = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'message' in failure ? String(failure.message) : String(failure)

/** What is wrong with the structure of the pages of a file. */
export const pageFindings = (sql: SqlDatabase): ReadonlyArray<string> => {
  const pages = attempt(() => sql.prepare(`PRAGMA integrity_check(${mostFindings})`).all())
  const findings = 'value' in pages ? pages.value.map((row) => text(row, 'integrity_check')) : [reason(pages.failure)]
  return findings.filter((finding) => finding !== 'ok')
}

/** As `pageFindings`, by a thread of its own; null where that has ended without an answer. */
export const pageFindingsAside = (path: string): Promise<ReadonlyArray<string> | null> => {
  const thread = new Worker(new URL('./pages-thread.ts', import.meta.url), { workerData: { path } })
  let found: ReadonlyArray<string> | null = null
  thread.on('message', (findings: ReadonlyArray<string>) => {
    found = findings
  })
  thread.on('error', () => undefined)
  return new Promise((resolve) => thread.once('exit', () => resolve(found)))
}
