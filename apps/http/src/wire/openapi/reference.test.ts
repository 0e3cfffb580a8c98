import { scopes } from '@quittance/billing/scopes'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { referenceOf } from '../../testing/reference.ts'
import { type Service, startService } from '../../testing/service.ts'
import type { OpenApi } from './document.ts'

let service: Service
let document: OpenApi
beforeAll(async () => {
  service = await startService()
  document = (await service.anyone('/openapi.json')).body
})
afterAll(() => service.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

describe('the reference of the service', () => {
  it('the reference is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(document)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('the reference names each operation once', () => {
    const names = operations().map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  it('the reference has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema({ $id: 'document', ...document })
    const shown = new Set<string>()
    JSON.parse(JSON.stringify(document), (_key, value) => {
      if (typeof value !== 'object' || value === null || !('schema' in value)) return value
      const named: ReadonlyArray<{ readonly value: unknown }> = Object.values(value.examples ?? {})
      const examples = [...('example' in value ? [value.example] : []), ...named.map((each) => each.value)]
      for (const example of examples)
        shown.add(JSON.stringify({ schema: value.schema, example }).replaceAll('"#/', '"document#/'))
      return value
    })
    const wrong = [...shown].filter((each) => {
      const { schema, example } = JSON.parse(each)
      return !ajv.validate(schema, example)
    })
    expect(shown.size).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it('the reference has the routes of the interface, and its own', () => {
    expect(operations().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'post /product',
        'post /customers',
        'get /customers/{id}/access/{product}',
        'post /checkout',
        'get /payment',
        'get /assets',
        'get /openapi.json',
        'get /docs',
      ]),
    )
  })

  it('the reference describes credentials and idempotency keys', () => {
    const { security, parameters } = document.paths['/product']?.post ?? { security: [], parameters: [] }
    expect({ security, parameters }).toEqual({
      security: [{ key: [] }, { appToken: [] }, { session: [] }],
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    })
    expect(document.paths['/health']?.get?.security).toEqual([])
  })

  it('the reference offers only scopes that app tokens can have', () => {
    const all = operations().map(({ operation: { description = '', security } }) => ({
      named: [...description.matchAll(/`(\w+:\w+)`/g)].map(([, scope]) => scope),
      takesToken: security.some((each) => 'appToken' in each),
    }))
    for (const { named, takesToken } of all) {
      expect(named.length > 0).toBe(takesToken)
      expect(scopes).toEqual(expect.arrayContaining(named))
    }
    expect(document.paths['/sandbox/pay']?.post).toMatchObject({
      security: [{ key: [] }, { session: [] }],
      description: expect.stringMatching(/ Takes your key in `x-api-key`, and no app token\.$/),
    })
  })
})

describe('an answer', () => {
  it('holds each answer to the reference: status, fields, and no other fields', () => {
    const reference = referenceOf(document)
    const given = { method: 'GET', path: '/sandbox/clock', status: 200, contentType: 'application/json; charset=utf-8' }
    const data = { now: '2026-11-20T10:00:00.000Z', ledger: 5 }
    expect(reference({ ...given, body: { data } })).toBeNull()
    expect(reference({ ...given, body: { data: { ...data, more: 1 } } })).toMatch(/additional properties/)
    expect(reference({ ...given, body: { data: { now: data.now } } })).toMatch(/required property 'ledger'/)
    expect(reference({ ...given, body: { data: { ...data, now: 'today' } } })).toMatch(/date-time/)
    expect(reference({ ...given, body: data })).toMatch(/required property 'data'/)
    const refused = { ...given, status: 403, body: { error: 'No', code: 'scope_missing', request_id: 'req_1' } }
    expect(reference(refused)).toBeNull()
    expect(reference({ ...refused, body: { ...refused.body, code: 'not_found' } })).toMatch(/code must be equal to one/)
    expect(reference({ ...given, status: 418, body: {} })).toMatch(/no such status/)
    expect(reference({ ...given, contentType: 'text/html', body: '' })).toMatch(/no text\/html/)
    expect(reference({ ...given, path: '/nowhere', body: {} })).toMatch(/no such route/)
  })
})

describe('the page of the reference', () => {
  it('the page of the reference shows every operation and object, without a script, under strict headers', async () => {
    const { status, body, headers } = await service.anyone('/docs')
    const page: string = body
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|style="|\son\w+=/)
    for (const { operation } of operations()) expect(page).toContain(`id="${operation.operationId}"`)
    for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`id="${name}"`)
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
    expect((await service.anyone(style)).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })
})
