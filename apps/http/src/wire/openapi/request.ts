import type { JsonSchema } from '@quittance/client/wire'
import { parametersIn } from '../query.ts'
import type { Route } from '../route.ts'
import { isOptional, type NamedSchemas, optionalIn, schemaOf } from './json-schema.ts'
import type { Words } from './operations/words.ts'

const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' }

/** The parameters of a route in the reference: of its path, of its query, and its idempotency key. */
export const parametersOf = (route: Route, named: NamedSchemas): ReadonlyArray<JsonSchema> => [
  ...Object.entries(route.params ?? {}).map(([name, codec]) => parameterOf(name, 'path', true, schemaOf(codec, named))),
  ...queryOf(route, named),
  ...(route.isCommand ? [idempotencyKey] : []),
]

const queryOf = ({ query, isPage }: Route, named: NamedSchemas): ReadonlyArray<JsonSchema> =>
  query === undefined
    ? []
    : parametersIn(query).flatMap(({ name, codec, alias }) => {
        const schema = withoutNull(schemaOf(codec, named))
        const left = optionalIn(codec)?.whenLeftOut ?? null
        const whole = left === null ? schema : { ...schema, default: left }
        const parameter = parameterOf(name, 'query', !isOptional(codec), whole)
        if (alias === null || isPage) return [parameter]
        const same = { ...schema, description: `The same as \`${name}\`: use that.` }
        return [parameter, { ...parameterOf(alias, 'query', false, same), deprecated: true }]
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

/** The body of a route in the reference, with its examples. */
export const bodyOf = (
  { body, isForm }: Route,
  { examples = {} }: Words,
  named: NamedSchemas,
): { readonly requestBody?: JsonSchema } => {
  if (body === undefined) return {}
  const bodies = 'bodies' in body ? Object.values(body.bodies) : [body]
  const [first, ...others] = bodies.map((codec) => schemaOf(optionalIn(codec)?.codec ?? codec, named))
  const content = {
    schema: others.length === 0 ? first : { anyOf: [first, ...others] },
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  }
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return { requestBody: { required: !bodies.some(isOptional), content: { [type]: content } } }
}
