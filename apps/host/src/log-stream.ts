import { type DestinationStream, destination } from 'pino'
import { withoutSessionIds } from './without-session-ids.ts'

/** Lines wait for room up to here; later ones are dropped. */
const mostWaitingCharacters = 1024 * 1024

/**
 * The standard output, for log lines. Where it cannot be written, such as on a full disk, lines are lost and the service
 * goes on. Others read the log, so no line holds the whole id of a session.
 */
export const logStream = (output: DestinationStream = standardOutput()): DestinationStream => ({
  write: (line) => output.write(withoutSessionIds(line)),
})

const standardOutput = (): DestinationStream =>
  destination({ dest: 1, sync: true, maxLength: mostWaitingCharacters }).on('error', () => undefined)
