import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { RecordedEvent } from '@quittance/domain'
import type { LogTail } from '../chain.ts'
import { recordedFromStored } from '../recorded-from-stored.ts'
import { attempt, tolerantLog } from './tolerant-read.ts'
import { logEnd, openLog, type Verification, type VerifyOptions } from './verify.ts'

/** Verifies a log in its own thread; rejects if that thread ends without an answer. */
const verifyAside = (path: string, expected: ReadonlyArray<LogTail>) => {
  const thread = new Worker(new URL('./verifying-thread.ts', import.meta.url), { workerData: { path, expected } })
  const verification = new Promise<Verification>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The verifying thread ended without an answer')))
  })
  return { verification, stop: () => thread.terminate() }
}

/**
 * Passes every event of a log to `visit`, in log order, while a second thread verifies the log, so that proof costs no
 * extra time. Events are visited before they are known to be sound, so the result only counts if the answer is `ok`.
 * Visits exactly the verified events, except unreadable ones.
 * Errors: throws `NewerSchema`, and whatever `visit` throws.
 */
export const replay = async (
  path: string,
  visit: (event: RecordedEvent) => void,
  { expected = [] }: VerifyOptions = {},
): Promise<Verification> => {
  const opened = openLog(path)
  if ('unreadable' in opened) return opened.unreadable
  const log = tolerantLog(opened.sql)
  const show = async (from: number, end: number): Promise<void> => {
    let reached = from
    while (reached < end) {
      const batch = log.batch(reached, end)
      reached = batch.reached
      for (const { position, logged } of batch.rows) {
        if (logged === null) continue
        // Verification reports text that is not JSON, since its hash differs from the sealed one.
        const recorded = attempt(() => recordedFromStored(logged.event, position, logged.recordedAt))
        if ('value' in recorded) visit(recorded.value)
      }
      await nextTurn()
    }
  }
  const thread = verifyAside(path, expected)
  try {
    const { end } = logEnd(opened.sql)
    const [verification] = await Promise.all([thread.verification, show(0, end)])
    await show(end, verification.head?.position ?? end)
    return verification
  } finally {
    await thread.stop()
    log.close()
    opened.sql.close()
  }
}
