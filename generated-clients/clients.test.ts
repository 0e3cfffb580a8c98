import { copyFileSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Service, startService } from '@quittance/http/testing/service'
import { installedTools } from './testing/tools.ts'

let service: Service
let tools: Awaited<ReturnType<typeof installedTools>>
let operations: number
beforeAll(async () => {
  ;[service, tools] = await Promise.all([startService(), installedTools()])
  const { body } = await service.anyone('/openapi.json')
  operations = Object.values(body.paths).flatMap((methods) => Object.keys(Object(methods))).length
  writeFileSync(join(tools.folder, 'openapi.json'), JSON.stringify(body))
})
afterAll(async () => {
  await service?.close()
  tools?.remove()
})

/** Copies a file of this folder to the tools. */
const given = (file: string, name = file.replace(/^.*\//, '')): string => {
  copyFileSync(join(import.meta.dirname, file), join(tools.folder, name))
  return name
}

describe('the reference', () => {
  it('has no errors and no warnings by Redocly', async () => {
    const { status, output } = await tools.tool('redocly', 'lint', 'openapi.json', '--format', 'json')
    const { totals, problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
    expect({ status, totals, problems }).toEqual({
      status: 0,
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    })
  })

  it('has no errors and no warnings by Spectral', async () => {
    const linted = await tools.tool(
      'spectral',
      'lint',
      'openapi.json',
      '--ruleset',
      given('spectral.yaml'),
      '--fail-severity',
      'hint',
    )
    expect(linted).toEqual({ status: 0, output: "No results with a severity of 'hint' or higher found!\n" })
  })
})

const sold = {
  shelf: 'B4',
  payment: 'confirmed',
  price: 1250,
  has_access: true,
  ends_with_its_period: true,
  refund: 'succeeded',
  events: 1,
}

/** What a program prints that sells with a generated client. The ledgers of the sandbox close meanwhile. */
const sale = async (command: string, file: string) => {
  const selling = tools.tool(command, file, service.url, service.facts.api_key)
  const { status, output } = await (service.facts.hurry?.(selling) ?? selling)
  if (status !== 0) throw new Error(output)
  return JSON.parse(output)
}

/** Checks the types of a program with its generated client, the client included, and makes one file of both. */
const built = async (program: string): Promise<string> => {
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
  }
  const config = `${program}.json`
  const source = given(`sales/${program}.ts`)
  writeFileSync(join(tools.folder, config), JSON.stringify({ compilerOptions, files: [source] }))
  const checked = await tools.tool('tsc', '--project', config)
  expect(checked).toEqual({ status: 0, output: '' })
  const bundle = `${program}.mjs`
  const esbuild = join(import.meta.dirname, '../node_modules/.bin/esbuild')
  const options = ['--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`, '--log-level=warning']
  expect(await tools.tool(esbuild, source, ...options)).toEqual({ status: 0, output: '' })
  return bundle
}

describe('a client that is generated from the reference', () => {
  it('sells, by openapi-typescript and openapi-fetch', async () => {
    expect(await tools.tool('openapi-typescript', 'openapi.json', '--output', 'schema.d.ts')).toMatchObject({
      status: 0,
    })
    expect(await sale(process.execPath, await built('openapi-fetch'))).toEqual(sold)
  })

  it('sells, by @hey-api/openapi-ts', async () => {
    const { status, output } = await tools.tool('openapi-ts', '--input', 'openapi.json', '--output', 'client')
    expect({ status, warns: /warn/i.test(output) }).toEqual({ status: 0, warns: false })
    expect(await sale(process.execPath, await built('hey-api'))).toEqual(sold)
  })

  it('sells, by openapi-python-client, which generates every operation without a warning', async () => {
    const options = ['--output-path', 'quittance', '--meta', 'none', '--config', given('python.yaml')]
    const generated = await tools.tool('openapi-python-client', 'generate', '--path', 'openapi.json', ...options)
    expect(generated).toEqual({ status: 0, output: 'Generating quittance\n' })
    const modules = globSync('quittance/api/*/*.py', { cwd: tools.folder }).filter((file) => !file.includes('__init__'))
    expect(modules).toHaveLength(operations)
    expect(await sale(join(tools.folder, 'python/bin/python'), given('sales/sale.py'))).toEqual(sold)
  })
})
