import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApi } from '../wire/openapi/document.ts'

/** A response to compare with the reference of its service. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string | null
  readonly body: unknown
}

/** The difference between a response and the reference; null without one. */
export type Reference = (received: Received) => string | null

/**
 * Compiles a reference: the status must be declared for the route, and the body must have exactly the fields of its
 * schema. Unknown routes must answer an error, and HEAD no body.
 */
export const referenceOf = (document: OpenApi): Reference => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', ...closed(document) })
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    path,
    operations,
    test: patternOf(path),
  }))
  // Fixed paths go before those with parameters.
  routes.sort((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')))

  return ({ method, path, status, contentType, body }) => {
    const [pathname = ''] = path.split('?')
    const served = routes.find(({ test }) => test.test(pathname))
    const verb = method.toLowerCase()
    const operation = served?.operations[verb === 'head' ? 'get' : verb]
    const name = `${method} ${pathname} ${status}`
    if (served === undefined || operation === undefined) {
      const isFine = isFile(pathname) || (status >= 400 && status < 500)
      return isFine ? null : `${name}: no such route is in the reference`
    }
    const answer = operation.responses[status]
    if (answer === undefined) return `${name}: the reference has no such status: ${JSON.stringify(body)}`
    const [type = ''] = (contentType ?? '').split(';')
    if (verb === 'head') return null
    if (!(type in answer.content)) return `${name}: the reference has no ${type}`
    if (type !== 'application/json' || pathname === '/openapi.json') return null
    const steps = ['paths', served.path, verb, 'responses', String(status), 'content', type, 'schema']
    const validate = validatorAt(
      `/${steps
        .map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
        .map(encodeURIComponent)
        .join('/')}`,
    )
    return validate(body) ? null : `${name}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`
  }
}

const isFile = (path: string): boolean => /^\/(pay-assets|docs)\/.+\.(js|css)$/.test(path)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)

/** The document, with objects closed to unknown fields. */
const closed = (value: unknown): object => JSON.parse(JSON.stringify(value), closedObject)

const closedObject = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'properties' in value && 'type' in value && value.type === 'object'
    ? { additionalProperties: false, ...value }
    : value
