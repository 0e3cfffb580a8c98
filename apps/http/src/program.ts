import { configFrom, openRoot } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container, type ContainerModule, type ServiceIdentifier } from 'inversify'
import { httpModules, siblingModules } from './module.ts'
import { runMain } from './processes/run-main.ts'
import { runSibling } from './processes/run-sibling.ts'
import { HTTP_SERVICE, SIBLING_SERVICE } from './tokens.ts'

const opened = async <Root>(modules: ReadonlyArray<ContainerModule>, root: ServiceIdentifier<Root>) => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...modules)
  const config = configFrom(process.env)
  return E.isLeft(config) ? config : openRoot(container, config.right, root)
}

const [role, url, metricsUrl] = process.argv.slice(2)
await (role === 'sibling' && url !== undefined && metricsUrl !== undefined
  ? runSibling(() => opened(siblingModules({ url, metricsUrl }), SIBLING_SERVICE))
  : runMain(() => opened(httpModules, HTTP_SERVICE)))
