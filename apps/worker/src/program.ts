import { configFrom, openRoot, problemText } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import { workerModule } from './module.ts'
import { RUN_WORKER } from './tokens.ts'

// Before anything is opened, so that a signal during start-up ends it in order too; a second one ends the process at once.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const container = new Container({ defaultScope: 'Singleton' })
container.load(workerModule)
const config = configFrom(process.env)
const run = E.isLeft(config) ? config : await openRoot(container, config.right, RUN_WORKER)
if (E.isLeft(run)) {
  process.stderr.write(`${problemText(run.left)}\n`)
  process.exitCode = 1
} else await run.right(stop.signal)
