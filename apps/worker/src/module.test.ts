import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFrom, OPERATOR_LOG, openRoot } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import { workerModule } from './module.ts'
import { RUN_WORKER } from './tokens.ts'

it('the modules of the worker resolve its root, which closes everything after its run', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-worker-'))
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(workerModule)
  const config = configFrom({ QUITTANCE_DATA_DIR: directory, QUITTANCE_LOG_LEVEL: 'silent' })
  const run = E.isLeft(config) ? config : await openRoot(container, config.right, RUN_WORKER)
  if (E.isLeft(run)) throw new Error(JSON.stringify(run.left))
  expect(container.get(OPERATOR_LOG)).toMatchObject({ level: 'silent' })
  await run.right(AbortSignal.abort())
  rmSync(directory, { recursive: true })
})
