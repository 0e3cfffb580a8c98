import type { Appended, Head } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { oncePerCallback } from './once-per-callback.ts'

/** Tells a memory of what was read from the file what it has to forget. */
export type FileChanges = {
  /**
   * Two equal counts: in between, nobody has committed anything but appends of this store and what it wrote through `beside`.
   * It never shrinks. NaN, which equals nothing: unknown.
   */
  readonly count: () => number
  /** Calls for each append of this store as soon as it is committed, before anybody is told. */
  readonly onAppend: (listener: AppendListener) => void
}

/** `from` is the stream's end before what was written, `at` the count of changes as of which nothing else is there. */
export type AppendListener = (stream: string, from: Head, written: Appended, at: number) => void

/** What a store tells of its own commits. */
export type OwnCommits = {
  readonly appended: (stream: string, from: Head, written: Appended) => void
  /** More may have changed than was appended. */
  readonly unknown: () => void
}

/** `PRAGMA data_version` counts the commits of all other connections, in any process, but not the connection's own. */
export const fileChanges = (writer: SqlDatabase, isShared: boolean): FileChanges & OwnCommits => {
  const statement = writer.prepare('PRAGMA data_version')
  const version = oncePerCallback(() => statement.get()?.data_version)
  const listeners: Array<AppendListener> = []
  let changes = 0
  let seen: unknown = null
  return {
    count: () => {
      // In memory, others write through the same connection.
      if (isShared) return Number.NaN
      try {
        const now = version()
        if (now !== seen) changes++
        seen = now
        return changes
      } catch {
        // The next read reports why.
        return Number.NaN
      }
    },
    onAppend: (listener) => void listeners.push(listener),
    appended: (stream, from, written) => {
      for (const listener of listeners) listener(stream, from, written, isShared ? Number.NaN : changes)
    },
    unknown: () => {
      changes++
    },
  }
}
