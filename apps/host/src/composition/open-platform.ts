import type * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import type { Config } from '../config.ts'
import type { Platform } from '../platform.ts'
import type { ConfigProblem } from '../settings.ts'
import { openRoot } from './open-root.ts'
import { OPERATOR_LOG, PLATFORM } from './tokens.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * The platform for a command. No worker runs in it, so nothing is logged or traced, and no alarm sent. `isAlone` keeps every other process
 * out until it is closed.
 * Errors: throws `DataDirInUse` where another process has the data directory open that must be had alone.
 */
export const openPlatform = (
  config: Config,
  isAlone = false,
): Promise<E.Either<ReadonlyArray<ConfigProblem>, Platform>> => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(OPERATOR_LOG).toConstantValue(silent)
  return openRoot(container, { ...config, alarms: null, tracing: null, isAlone }, PLATFORM)
}
