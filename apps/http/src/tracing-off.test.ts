import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from './testing/child-process.ts'
import { startCollector } from './testing/collector.ts'
import { temporaryDirectory } from './testing/service.ts'

/** Runs before the service, and notes each module of OpenTelemetry that is loaded. */
const noteModules = `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    const [, name] = /@opentelemetry\\/([^/]+)\\//.exec(url) ?? []
    if (name !== undefined) appendFileSync(process.env.QUITTANCE_TEST_LOADED, name + '\\n')
    return next(url, context)
  },
})`

/** The packages of OpenTelemetry that a service loads until it has answered a request. */
const loadedBy = async (environment: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const directory = temporaryDirectory()
  const loaded = join(directory.path, 'loaded')
  const service = await startProcess(directory.path, {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(noteModules)}`,
    QUITTANCE_TEST_LOADED: loaded,
    ...environment,
  })
  expect((await service.api('/product')).status).toBe(200)
  expect(await service.stop()).toBe(0)
  const names = new Set(readFileSync(loaded, 'utf8').trim().split('\n'))
  directory.remove()
  return [...names].sort()
}

it('nothing of the SDK is loaded while tracing is off', async () => {
  expect(await loadedBy({})).toEqual(['api'])
})

it('the SDK is loaded once an endpoint is named', async () => {
  const collector = await startCollector()
  expect(await loadedBy(collector.environment)).toEqual(expect.arrayContaining(['api', 'sdk-trace']))
  expect(collector.spans().map(({ name }) => name)).toContain('GET /product')
  await collector.close()
})
