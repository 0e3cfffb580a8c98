import type { SqlDatabase, SqlStatement } from '@quittance/event-store'
import { integerIn } from './store/columns.ts'

/** Milliseconds since 1970. */
export type SandboxClock = { readonly now: () => number }

/** How far ahead of what it has shown the clock notes a ceiling, so that it need not write on every reading. */
const headroomMs = 1_000

const readingOf = (select: SqlStatement, wallMs: number): number => {
  const row = select.get()
  if (row === undefined) return wallMs
  return Math.max(integerIn(row, 'time_ms'), wallMs + integerIn(row, 'offset_ms'))
}

const selectClock = 'SELECT time_ms, offset_ms, ceiling_ms FROM sandbox_clock'

/**
 * The sandbox's time for a process that does not keep it: the larger of the stored time and wall time plus the stored
 * offset. Needs a database in which a sandbox has been opened; never goes back while it lives.
 */
export const sandboxClock = (database: SqlDatabase, wallClock: () => number): SandboxClock => {
  const select = database.prepare(selectClock)
  let shown = 0
  return {
    now: () => {
      shown = Math.max(shown, readingOf(select, wallClock()))
      return shown
    },
  }
}

/** The clock in the hands of the sandbox itself. */
export interface KeptClock extends SandboxClock {
  /** Moves the clock forward to a time, for good: wall time goes on from there. Earlier times are ignored. */
  readonly moveTo: (timeMs: number) => void
  /** Notes that a time has been reached, without getting ahead of wall time once that has caught up. */
  readonly reach: (timeMs: number) => void
}

/**
 * Never goes back, neither when wall time does nor across a restart: before the clock shows a time beyond the stored
 * ceiling it stores a new one, and on opening it starts from there at the least.
 */
export const keptClock = (database: SqlDatabase, wallClock: () => number): KeptClock => {
  database.prepare('INSERT OR IGNORE INTO sandbox_clock (id, time_ms, offset_ms, ceiling_ms) VALUES (1, 0, 0, 0)').run()
  const select = database.prepare(selectClock)
  const raiseTime = database.prepare('UPDATE sandbox_clock SET time_ms = max(time_ms, ?)')
  const raiseOffset = database.prepare('UPDATE sandbox_clock SET offset_ms = max(offset_ms, ?)')
  const raiseCeiling = database.prepare('UPDATE sandbox_clock SET ceiling_ms = max(ceiling_ms, ?)')
  const storedCeiling = () => integerIn(select.get() ?? {}, 'ceiling_ms')
  let ceiling = storedCeiling()
  let shown = ceiling

  const now = () => {
    shown = Math.max(shown, readingOf(select, wallClock()))
    if (shown > ceiling) {
      ceiling = shown + headroomMs
      raiseCeiling.run(ceiling)
    }
    return shown
  }

  return {
    now,
    reach: (timeMs) => void raiseTime.run(timeMs),
    moveTo: (timeMs) => {
      if (timeMs <= now()) return
      raiseOffset.run(timeMs - wallClock())
      raiseTime.run(timeMs)
    },
  }
}
