import type * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import type { Config } from '../config.ts'
import type { Platform } from '../platform.ts'
import type { ConfigProblem } from '../settings.ts'
import { openRoot } from './open-root.ts'
import { OPERATOR_LOG, PLATFORM } from './tokens.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** The platform for a command. No worker runs in it, so nothing is logged. */
export const openPlatform = (config: Config): Promise<E.Either<ReadonlyArray<ConfigProblem>, Platform>> => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(OPERATOR_LOG).toConstantValue(silent)
  return openRoot(container, config, PLATFORM)
}
