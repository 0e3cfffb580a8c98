import { type ConfigProblem, problemText } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { SiblingService } from './sibling-service.ts'

/** Answers requests in this process beside the main one until that tells it to stop, or has ended. */
export const runSibling = async (
  open: () => Promise<E.Either<ReadonlyArray<ConfigProblem>, SiblingService>>,
): Promise<void> => {
  process.once('disconnect', () => process.exit())
  // A terminal signals all processes at once. When to stop, the main process tells.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.stdout.on('error', () => undefined)
  const service = await open()
  if (E.isLeft(service)) {
    process.stderr.write(`${problemText(service.left)}\n`)
    process.exit(1)
  }
  await service.right.run()
  process.exit()
}
