import { CLOSERS, closeAll, configFrom, openRoot } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container, type ServiceIdentifier } from 'inversify'
import { httpModules, siblingModules } from './module.ts'
import { temporaryDirectory } from './testing/service.ts'
import * as tokens from './tokens.ts'

it('the modules of the service resolve every root', async () => {
  const { SIBLING_SERVICE, ...ofMain } = tokens
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
  for (const token of Object.values<ServiceIdentifier>(ofMain)) expect(container.get(token)).toBeDefined()
  const served = await service.right.start()
  if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
  await served.right.close()
  directory.remove()
})

it('the modules of a process beside the main one resolve its root', async () => {
  const directory = temporaryDirectory()
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...siblingModules({ url: 'http://127.0.0.1:1', metricsUrl: 'http://127.0.0.1:2/metrics' }))
  const config = configFrom({ QUITTANCE_DATA_DIR: directory.path, QUITTANCE_LOG_LEVEL: 'silent' })
  const sibling = E.isLeft(config) ? config : await openRoot(container, config.right, tokens.SIBLING_SERVICE)
  if (E.isLeft(sibling)) throw new Error(JSON.stringify(sibling.left))
  expect(await container.get(tokens.READINESS)()).toEqual({ status: 'not_ready' })
  await closeAll(container.get(CLOSERS))
  directory.remove()
})
