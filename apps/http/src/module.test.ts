import { configFrom, openRoot } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container, type ServiceIdentifier } from 'inversify'
import { httpModules } from './module.ts'
import { temporaryDirectory } from './testing/service.ts'
import * as tokens from './tokens.ts'

it('the modules of the service resolve every root', async () => {
  const directory = temporaryDirectory()
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...httpModules)
  const config = configFrom({
    QUITTANCE_DATA_DIR: directory.path,
    QUITTANCE_PORT: '0',
    QUITTANCE_LOG_LEVEL: 'silent',
  })
  const service = E.isLeft(config) ? config : await openRoot(container, config.right, tokens.HTTP_SERVICE)
  if (E.isLeft(service)) throw new Error(JSON.stringify(service.left))
  for (const token of Object.values<ServiceIdentifier>(tokens)) expect(container.get(token)).toBeDefined()
  const served = await service.right.start()
  if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
  await served.right.close()
  directory.remove()
})
