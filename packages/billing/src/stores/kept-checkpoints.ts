import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Keeps every checkpoint outside the log, so that an older log that is put back does not forget them. */
export interface KeptCheckpoints {
  /** The newest signed notes, oldest first: all, or those in the last 64 KiB of many. Throws file system errors. */
  readonly newest: () => ReadonlyArray<string>
  /** Returns once the note is on the disk. Throws file system errors. */
  readonly add: (note: string) => void
}

const Line = t.strict({ checkpoint: t.string })

const noteIn = (line: string): ReadonlyArray<string> => {
  try {
    const found = Line.decode(JSON.parse(line))
    return E.isRight(found) ? [found.right.checkpoint] : []
  } catch {
    // A crash may leave a line half written. Nobody has seen its checkpoint.
    return []
  }
}

/** The notes in the text of such a file. */
export const notesIn = (text: string): ReadonlyArray<string> => text.split('\n').flatMap(noteIn)

const readBytes = 65_536

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** The end of a file as text, from the middle of a line perhaps; nothing where there is no file. */
const endOf = (path: string): string => {
  const opened = E.tryCatch(
    () => openSync(path, 'r'),
    (cause) => cause,
  )
  if (E.isLeft(opened)) {
    if (isMissing(opened.left)) return ''
    throw opened.left
  }
  const file = opened.right
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, readBytes))
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.subarray(0, read).toString('utf8')
  } finally {
    closeSync(file)
  }
}

/** The name of the file, beside the mark of the log. */
const checkpointsFileName = 'checkpoints.jsonl'

/** Keeps them in a file beside the mark of the log, which no backup holds: a line of JSON for each. */
export const checkpointsFile = (markFile: string): KeptCheckpoints => {
  const path = join(dirname(markFile), checkpointsFileName)
  return {
    newest: () => notesIn(endOf(path)),
    add: (note) => {
      const file = openSync(path, 'a', 0o600)
      try {
        // Behind a line that a crash has left half written, a new one begins.
        writeSync(file, `\n${JSON.stringify({ checkpoint: note })}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
  }
}
