import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SqlDatabase } from '../sql.ts'
import { joinParts } from './log-part.ts'
import { type TakenPart, takeParts } from './take-parts.ts'

type Parts = Array<TakenPart['streams'] | undefined>

/** A thread that checks parts with the others; resolves when it has ended, however it ended. */
const startThread = (workerData: object, found: (part: TakenPart) => void): Promise<unknown> => {
  const thread = new Worker(new URL('./part-thread.ts', import.meta.url), { workerData })
  thread.on('message', found)
  // What a thread leaves undone is missing at the end.
  thread.on('error', () => undefined)
  return new Promise((resolve) => thread.once('exit', resolve))
}

/**
 * Whether all positions up to `end` are as they were written, checked by as many threads as there are cores. False says only that
 * something is not, or could not be read: checking the log from its start names it.
 */
export const isSoundInParts = async (
  sql: SqlDatabase,
  path: string,
  end: number,
  perPart: number,
): Promise<boolean> => {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const parts: Parts = []
  const found = ({ number, streams }: TakenPart): void => {
    parts[number] = streams
  }
  const threads = Array.from({ length: availableParallelism() - 1 }, () =>
    startThread({ path, taken, end, perPart }, found),
  )
  for await (const part of takeParts(sql, taken, end, perPart)) found(part)
  await Promise.all(threads)
  const join = joinParts()
  for (let number = 0; number * perPart < end; number += 1) {
    const streams = parts[number]
    if (streams === undefined || streams === null || !join(streams)) return false
  }
  return true
}
