import { type Service, startService } from '../../testing/service.ts'
import type { OpenApi } from './document.ts'
import { sections } from './operations/index.ts'

let service: Service
let document: OpenApi
beforeAll(async () => {
  service = await startService()
  document = (await service.anyone('/openapi.json')).body
})
afterAll(() => service.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
const isSentence = (text: unknown): boolean => typeof text === 'string' && /^\S.+\S$/s.test(text)

type Found = { readonly at: string; readonly description: unknown }

/** Every property of every schema in a part of the document, and what is said of it. */
const propertiesIn = (part: unknown, at = ''): ReadonlyArray<Found> => {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'properties'
      ? Object.entries(value).map(([name, schema]) => ({
          at: `${at}/${name}`,
          description: Object(schema).description,
        }))
      : []),
    // Later members only narrow the first one, which is described.
    ...(key === 'allOf'
      ? propertiesIn(value[0], `${at}/0`)
      : key.startsWith('example')
        ? []
        : propertiesIn(value, `${at}/${key}`)),
  ])
}

describe('the words of the reference', () => {
  it('names every operation as a person would, once', () => {
    const names = operations().map(({ operation }) => operation.operationId)
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]*)*$/.test(name))).toEqual([])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names).toContain('cancelSubscription')
  })

  it('describes every operation, in a section that is described too', () => {
    const tags = document.tags.filter(({ description }) => isSentence(description)).map(({ name }) => name)
    const unclear = operations().filter(
      ({ operation: { summary, description, tags: own } }) =>
        !isSentence(summary) || !description.endsWith('.') || own.length !== 1 || !tags.includes(own[0] ?? ''),
    )
    expect(unclear.map(({ name }) => name)).toEqual([])
  })

  it('describes every parameter', () => {
    const unclear = operations().flatMap(({ name, operation }) =>
      operation.parameters.flatMap((each) =>
        '$ref' in each || isSentence(each.description) ? [] : `${name} ${each.name}`,
      ),
    )
    expect(unclear).toEqual([])
  })

  it('describes every field of every schema', () => {
    const all = propertiesIn(document)
    expect(all.length).toBeGreaterThan(1_000)
    expect(all.filter(({ description }) => !isSentence(description)).map(({ at }) => at)).toEqual([])
  })

  it('has no words for operations that are not served', () => {
    const served = operations().map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ':$1'))
    const written = sections.flatMap(({ operations }) => Object.keys(operations))
    expect(written.filter((each) => !served.includes(each))).toEqual([])
  })

  it('marks the aliases of paths and of parameters as deprecated, and nothing else', () => {
    const deprecated = operations().filter(({ operation }) => operation.deprecated)
    expect(deprecated.map(({ name }) => name.split('/')[1])).toEqual(
      operations().flatMap(({ name }) => /\/(products|payments)(?=\/|$)/.exec(name)?.[1] ?? []),
    )
    const parameters = operations().flatMap(({ operation }) => operation.parameters)
    const aliases = parameters.filter((each) => each.deprecated === true)
    expect(aliases.length).toBeGreaterThan(5)
    for (const { name, description } of aliases) expect(description).toBe(`The same as \`${name}_id\`: use that.`)
  })

  it('says where the service is, and under which licence', () => {
    expect(document.servers).toEqual([{ url: service.url, description: 'This service' }])
    expect(document.info).toMatchObject({
      license: { identifier: 'Apache-2.0' },
      contact: { name: 'Quittance' },
    })
  })
})

describe('request bodies of the reference', () => {
  const bodies = () =>
    operations().flatMap(({ name, operation: { requestBody } }) =>
      requestBody === undefined ? [] : [{ name, ...JSON.parse(JSON.stringify(requestBody)) }],
    )

  it('may be left out where the service takes none', async () => {
    const optional = bodies().filter(({ required }) => !required)
    expect(optional.map(({ name }) => name)).toEqual(['POST /customers/{id}/portal', 'POST /subscriptions/{id}/cancel'])
  })

  it('are forms where the service takes forms', () => {
    const forms = bodies().filter(({ content }) => 'application/x-www-form-urlencoded' in content)
    expect(forms.map(({ name }) => name).sort()).toEqual([
      'POST /portal/email',
      'POST /portal/email/confirm',
      'POST /portal/entry/code',
      'POST /portal/entry/email',
      'POST /portal/subscriptions/{id}',
    ])
  })

  it('have no defaults, which would make fields required in generated clients', () => {
    const { components } = document
    expect(JSON.stringify([components, bodies()])).not.toContain('"default":')
  })
})
