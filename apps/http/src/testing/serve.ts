import { type Config, type ConfigProblem, openRoot } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import type { Served } from '../http-service.ts'
import { httpModules } from '../module.ts'
import { HTTP_SERVICE } from '../tokens.ts'

/** The service in this process, composed as `main.ts` composes it. */
export const serve = async (config: Config): Promise<E.Either<ReadonlyArray<ConfigProblem>, Served>> => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...httpModules)
  const service = await openRoot(container, config, HTTP_SERVICE)
  return E.isLeft(service) ? service : service.right.start()
}
