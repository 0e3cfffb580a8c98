import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqlDatabase } from '../sql.ts'
import { type StreamPart, soundPart } from './log-part.ts'
import { attempt } from './tolerant-read.ts'

/** A checked part by its number; null: it is not sound. */
export type TakenPart = { readonly number: number; readonly streams: ReadonlyArray<StreamPart> | null }

/**
 * Checks the parts that no other thread has taken, until none is left or one is not sound. `taken` counts the parts that
 * threads have taken; each has `perPart` positions, up to `end`.
 */
export async function* takeParts(
  sql: SqlDatabase,
  taken: Int32Array<SharedArrayBuffer>,
  end: number,
  perPart: number,
): AsyncGenerator<TakenPart> {
  for (;;) {
    const number = Atomics.add(taken, 0, 1)
    const after = number * perPart
    if (after >= end) return
    const part = attempt(() => soundPart(sql, after, Math.min(after + perPart, end)))
    const streams = 'value' in part ? (part.value?.streams ?? null) : null
    if (streams === null) Atomics.add(taken, 0, Math.ceil(end / perPart))
    yield { number, streams }
    await nextTurn()
  }
}
