import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { isStoreFailure, oncePerCallback } from '@quittance/event-store/sqlite'
import { integerIn } from './store/columns.ts'

/** Milliseconds since 1970. */
export type SandboxClock = { readonly now: () => number }

/** The clock stores a ceiling this far ahead of the time shown, so that most readings write nothing. */
const headroomMs = 1_000

const readingOf = (row: SqlRow | undefined, wallMs: number): number => {
  if (row === undefined) return wallMs
  return Math.max(integerIn(row, 'time_ms'), wallMs + integerIn(row, 'offset_ms'))
}

/** How often the sandboxes of this process have moved their clocks. */
let moves = 0

const selectClock = 'SELECT time_ms, offset_ms, ceiling_ms FROM sandbox_clock'

/**
 * A read-only view of the sandbox's clock: the larger of the stored time and wall time plus the stored offset. Needs a
 * database in which a sandbox has been opened. Never goes back while it lives.
 */
export const sandboxClock = (database: SqlDatabase, wallClock: () => number): SandboxClock => {
  const select = database.prepare(selectClock)
  // Each step of a worker asks for the time, many times over.
  const row = oncePerCallback(
    () => select.get(),
    () => moves,
  )
  let shown = 0
  return {
    now: () => {
      shown = Math.max(shown, readingOf(row(), wallClock()))
      return shown
    },
  }
}

/** The clock as the sandbox itself moves it. */
export interface WritableClock extends SandboxClock {
  /** Moves the clock forward for good; wall time counts on from there. Ignores earlier times. */
  readonly moveTo: (timeMs: number) => void
  /** Stores that the clock has reached a time. Unlike `moveTo`, it leaves the offset to wall time alone. */
  readonly reach: (timeMs: number) => void
}

/**
 * Never goes back, even when wall time does or the process restarts: it stores a new ceiling before it shows a time
 * beyond the old one, and starts at the stored ceiling. It stands still at the ceiling while the file cannot be written.
 */
export const writableClock = (database: SqlDatabase, wallClock: () => number): WritableClock => {
  database.prepare('INSERT OR IGNORE INTO sandbox_clock (id, time_ms, offset_ms, ceiling_ms) VALUES (1, 0, 0, 0)').run()
  const select = database.prepare(selectClock)
  const raiseTime = database.prepare('UPDATE sandbox_clock SET time_ms = max(time_ms, ?)')
  const raiseOffset = database.prepare('UPDATE sandbox_clock SET offset_ms = max(offset_ms, ?)')
  const raiseCeiling = database.prepare('UPDATE sandbox_clock SET ceiling_ms = max(ceiling_ms, ?)')
  const storedCeiling = () => integerIn(select.get() ?? {}, 'ceiling_ms')
  let ceiling = storedCeiling()
  let shown = ceiling

  /** Stores a higher ceiling; false while the file cannot be written. */
  const raiseTo = (timeMs: number): boolean => {
    try {
      raiseCeiling.run(timeMs)
      ceiling = timeMs
      return true
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      return false
    }
  }

  const now = () => {
    const reading = Math.max(shown, readingOf(select.get(), wallClock()))
    shown = reading <= ceiling || raiseTo(reading + headroomMs) ? reading : ceiling
    return shown
  }

  return {
    now,
    reach: (timeMs) => {
      raiseTime.run(timeMs)
      moves++
    },
    moveTo: (timeMs) => {
      if (timeMs <= now()) return
      raiseOffset.run(timeMs - wallClock())
      raiseTime.run(timeMs)
      moves++
    },
  }
}
