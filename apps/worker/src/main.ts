import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { work } from './work.ts'

// Before anything is opened, so that a signal during start-up is an orderly end too; a second one ends the process at once.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const config = configFrom(process.env)
const worked = E.isLeft(config) ? config : await work(config.right, pino({ level: config.right.logLevel }), stop.signal)
if (E.isLeft(worked)) {
  for (const { variable, expected } of worked.left) process.stderr.write(`${variable} must be ${expected}\n`)
  process.exitCode = 1
}
