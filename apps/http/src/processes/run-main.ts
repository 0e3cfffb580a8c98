import { type ConfigProblem, problemText } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpService } from '../http-service.ts'

/** Runs the service in this process until a signal ends it. */
export const runMain = async (
  open: () => Promise<E.Either<ReadonlyArray<ConfigProblem>, HttpService>>,
): Promise<void> => {
  const service = await open()
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
