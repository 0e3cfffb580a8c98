import { configFrom, openRoot, problemText } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import { siblingModules } from '../module.ts'
import { SIBLING_SERVICE } from '../tokens.ts'
import type { MainProcess } from './messages.ts'

/** Answers requests in this process beside the main one until that tells it to stop, or has ended. */
export const runSibling = async (main: MainProcess): Promise<void> => {
  process.once('disconnect', () => process.exit())
  // A terminal signals all processes at once. When to stop, the main process tells.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.stdout.on('error', () => undefined)
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...siblingModules(main))
  const config = configFrom(process.env)
  const service = E.isLeft(config) ? config : await openRoot(container, config.right, SIBLING_SERVICE)
  if (E.isLeft(service)) {
    process.stderr.write(`${problemText(service.left)}\n`)
    process.exit(1)
  }
  await service.right.run()
  process.exit()
}
