import { type DestinationStream, destination, symbols } from 'pino'
import { withoutSessionIds } from './without-session-ids.ts'

/** Lines wait for room up to here; later ones are dropped. */
const mostWaitingCharacters = 1024 * 1024
/**
 * Lines wait for each other up to here, then they are written at once. With the line that fills it, it is less than the
 * 4 KiB that a pipe takes whole: lines of several processes do not mix there.
 */
const writtenTogetherCharacters = 2048
const longestWaitMs = 1_000
/** The least level that is written at once. */
const warning = 40

/** Where lines wait until enough have come, or until `flush`, which writes them before it returns. */
export type WaitingOutput = DestinationStream & { readonly flush: () => void }

/** Pino notes the level of each line before it writes it. */
type LeveledStream = DestinationStream & { readonly [symbols.needsMetadataGsym]: true; lastLevel: number }

/**
 * The standard output, for log lines. They are written together, at most a second late, and the last ones as the process
 * ends, unless it is killed. Warnings and errors are written at once, along with what waits before them. Where the output
 * cannot be written, such as on a full disk, lines are lost and the service goes on. Others read the log, so no line holds the
 * whole id of a session.
 */
export const logStream = (output: WaitingOutput = standardOutput()): LeveledStream => ({
  [symbols.needsMetadataGsym]: true,
  lastLevel: 0,
  write(line: string): void {
    output.write(withoutSessionIds(line))
    if (this.lastLevel >= warning) output.flush()
  },
})

let opened: WaitingOutput | null = null

/** One for all logs of the process, so that their lines keep their order. */
const standardOutput = (): WaitingOutput => {
  if (opened !== null) return opened
  const output = destination({
    dest: 1,
    sync: true,
    minLength: writtenTogetherCharacters,
    periodicFlush: longestWaitMs,
    maxLength: mostWaitingCharacters,
  }).on('error', () => undefined)
  // Also after an exception that nobody catches. `flushSync` would try for ever on a full disk.
  process.once('exit', () => output.flush())
  opened = output
  return output
}
