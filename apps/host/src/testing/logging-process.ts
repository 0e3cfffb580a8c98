import { pino } from 'pino'
import { logStream } from '../log-stream.ts'

/** Logs ten lines that are no warnings, and ends as its argument says. */
const log = pino({}, logStream())
for (let line = 0; line < 10; line += 1) log.info(`line ${line}`)

const ends: Readonly<Record<string, () => unknown>> = {
  returns: () => undefined,
  exits: () => process.exit(0),
  throws: () => {
    throw new Error('nobody catches this')
  },
  rejects: () => Promise.reject(new Error('nobody handles this')),
  stays: () => setInterval(() => undefined, 60_000),
}
ends[process.argv[2] ?? '']?.()
