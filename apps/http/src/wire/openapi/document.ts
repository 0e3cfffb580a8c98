import type { JsonSchema } from '@quittance/client/wire'
import { parametersIn } from '../query.ts'
import type { Route } from '../route.ts'
import { answersOf, type DescribedAnswer, json } from './answers.ts'
import { isOptional, type NamedSchemas, schemaOf } from './json-schema.ts'
import { securityOf, securitySchemes } from './security.ts'

export type OpenApi = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, unknown>> & { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
export type Operation = {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description?: string
  readonly parameters: ReadonlyArray<JsonSchema>
  readonly requestBody?: JsonSchema
  readonly responses: Readonly<Record<string, DescribedAnswer>>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

/** The reference of the routes as OpenAPI 3.1, derived from their codecs. */
export const openApiOf = (routes: ReadonlyArray<Route>): OpenApi => {
  const named: NamedSchemas = new Map()
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
  const paths = [...byPath].map(([path, served]) => {
    const operations = served.map((route) => [route.method.toLowerCase(), operationOf(path, route, named)] as const)
    return [path, Object.fromEntries(operations)] as const
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Quittance', version: '0.1.0', description: about },
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes,
      headers: {
        RequestId: { description: 'Names the request in our logs.', required: true, schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
      },
      parameters: {
        IdempotencyKey: {
          name: 'idempotency-key',
          in: 'header',
          description:
            'Chosen by the caller before the first attempt. The same request under it is done once, and answered alike, however late it is repeated. Only the key of a request that changed nothing is forgotten, after 30 days.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
    },
  }
}

const about = `Payments that settle on the Stellar network. Send your key in the header \`x-api-key\`, and bodies as
\`application/json\`. Successes are 200 with \`{ data }\`, but for access, health and readiness, which are bare; all else is
\`{ error, code, param?, request_id }\`. Timestamps are ISO 8601 in UTC. Fields that a request has and nobody knows are
ignored.`

const operationOf = (path: string, route: Route, named: NamedSchemas): Operation => ({
  operationId: operationIdOf(path, route),
  tags: [path === '/' ? 'start' : (path.split('/')[1]?.replace(/^\./, '') ?? '')],
  summary: route.summary,
  ...securityFacts(route),
  parameters: [
    ...Object.entries(route.params ?? {}).map(([name, codec]) =>
      parameterOf(name, 'path', true, schemaOf(codec, named)),
    ),
    ...queryOf(route, named),
    ...(route.isCommand ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ],
  ...bodyOf(route, named),
  responses: answersOf(route, named),
})

const securityFacts = ({ auth }: Route): Pick<Operation, 'security' | 'description'> => {
  const { problems: _, ...facts } = securityOf(auth)
  return facts
}

/** For example `getCustomersIdAccessProduct`. */
const operationIdOf = (path: string, { method }: Route): string =>
  [method.toLowerCase(), ...(path === '/' ? ['start'] : path.split(/\W+/).filter((word) => word !== ''))]
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')

const queryOf = ({ query }: Route, named: NamedSchemas): ReadonlyArray<JsonSchema> =>
  query === undefined
    ? []
    : parametersIn(query).flatMap(({ name, codec, alias }) => {
        const schema = withoutNull(schemaOf(codec, named))
        const parameter = parameterOf(name, 'query', !isOptional(codec), schema)
        if (alias === null) return [parameter]
        return [parameter, parameterOf(alias, 'query', false, { ...schema, description: `The same as \`${name}\`.` })]
      })

/** What a parameter means stands beside its schema. */
const parameterOf = (
  name: string,
  place: 'path' | 'query',
  required: boolean,
  { description, ...schema }: JsonSchema,
): JsonSchema => ({ name, in: place, required, ...(description === undefined ? {} : { description }), schema })

/** A query parameter is a text or absent, never null. */
const withoutNull = ({ type, anyOf, ...schema }: JsonSchema): JsonSchema => {
  if (Array.isArray(anyOf)) return { ...anyOf[0], ...schema }
  const [only] = Array.isArray(type) ? type : [type]
  return only === undefined ? schema : { ...schema, type: only }
}

const bodyOf = ({ body, example }: Route, named: NamedSchemas): { readonly requestBody?: JsonSchema } => {
  if (body === undefined) return {}
  const bodies = 'bodies' in body ? Object.values(body.bodies) : [body]
  const [first, ...others] = bodies.map((codec) => json(codec, named))
  const schema = others.length === 0 ? first?.schema : { anyOf: [first, ...others].map((each) => each?.schema) }
  const content = { schema, example: example ?? first?.example }
  return { requestBody: { required: true, content: { 'application/json': content } } }
}
