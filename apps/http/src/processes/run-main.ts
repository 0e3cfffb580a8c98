import { configFrom, openRoot, problemText } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import { httpModules } from '../module.ts'
import { HTTP_SERVICE } from '../tokens.ts'

/** Runs the service in this process until a signal ends it. */
export const runMain = async (): Promise<void> => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...httpModules)
  const config = configFrom(process.env)
  const service = E.isLeft(config) ? config : await openRoot(container, config.right, HTTP_SERVICE)
  const served = E.isLeft(service) ? service : await service.right.start()
  if (E.isLeft(served)) {
    process.stderr.write(`${problemText(served.left)}\n`)
    process.exit(1)
  }

  const { greeting, close } = served.right
  // On a full disk, the output is lost and the service goes on.
  process.stdout.on('error', () => undefined)
  if (greeting !== null) process.stdout.write(greeting)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().then(() => process.exit(0)))
  }
}
