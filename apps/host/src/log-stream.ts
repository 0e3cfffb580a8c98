import { destination } from 'pino'

/** Lines wait for room up to here; later ones are dropped. */
const mostWaitingCharacters = 1024 * 1024

/**
 * The standard output, for log lines. Where it cannot be written, such as on a full disk, lines are lost and the service
 * goes on.
 */
export const logStream = () =>
  destination({ dest: 1, sync: true, maxLength: mostWaitingCharacters }).on('error', () => undefined)
