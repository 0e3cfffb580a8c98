import {
  DocumentedType,
  type JsonSchema,
  NullableType,
  OneOrManyType,
  OptionalType,
  SchemaType,
} from '@quittance/client/wire'
import * as t from 'io-ts'

/** The schemas of objects whose codec has a name, by that name. */
export type NamedSchemas = Map<string, JsonSchema>

/**
 * The JSON Schema (2020-12) of the input of a codec. Named objects go to `named`, and are referenced. It has no `default`
 * for what is left out: generators of clients make fields with a default required. Descriptions say it.
 * Throws for a codec that is not described here.
 */
export const schemaOf = (codec: unknown, named: NamedSchemas): JsonSchema => {
  const schema = (each: unknown) => schemaOf(each, named)
  if (codec instanceof SchemaType) return codec.schema
  if (codec instanceof DocumentedType) return { ...schema(codec.codec), description: codec.description }
  if (codec instanceof OptionalType) return codec.takesNull ? nullable(schema(codec.codec)) : schema(codec.codec)
  if (codec instanceof NullableType) return nullable(schema(codec.codec))
  if (codec instanceof OneOrManyType) {
    const one = schema(codec.codec)
    return { anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: codec.most }] }
  }
  if (codec instanceof t.InterfaceType) return objectSchema(codec, named)
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType)
    return { type: 'array', items: schema(codec.type) }
  if (codec instanceof t.DictionaryType) return { type: 'object', additionalProperties: schema(codec.codomain) }
  if (codec instanceof t.UnionType) return { anyOf: codec.types.map(schema) }
  if (codec instanceof t.LiteralType) return { const: codec.value }
  if (codec instanceof t.KeyofType) return { enum: Object.keys(codec.keys) }
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.NumberType) return { type: 'number' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec instanceof t.NullType) return { type: 'null' }
  // Generators of clients read an object that names no fields as one that has none.
  if (codec instanceof t.AnyDictionaryType) return { type: 'object', additionalProperties: true }
  if (codec instanceof t.UnknownType) return {}
  throw new Error(`nobody has said what ${codec instanceof t.Type ? codec.name : String(codec)} reads`)
}

/** The description stays beside the choice, not inside it. */
const nullable = ({ description, ...schema }: JsonSchema): JsonSchema => ({
  ...(typeof schema.type === 'string' && schema.enum === undefined && schema.const === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : schema.type === undefined || schema.enum !== undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : schema),
  ...(description === undefined ? {} : { description }),
})

/** The codec of a field that a request may omit; null where it may not. */
export const optionalIn = (codec: unknown): OptionalType<unknown, unknown, unknown> | null => {
  if (codec instanceof DocumentedType) return optionalIn(codec.codec)
  return codec instanceof OptionalType ? codec : null
}

/** Whether a request may omit the field. */
export const isOptional = (codec: unknown): boolean => optionalIn(codec) !== null

/** The name of a codec in the reference; null when io-ts made it up. */
const nameOf = ({ name }: t.Mixed): string | null => (/^[A-Z]\w*$/.test(name) ? name : null)

const objectSchema = (codec: t.InterfaceType<t.Props>, named: NamedSchemas): JsonSchema => {
  const name = nameOf(codec)
  if (name !== null && named.has(name)) return { $ref: `#/components/schemas/${name}` }
  if (name !== null) named.set(name, {})
  const fields = Object.entries(codec.props)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([field, type]) => [field, schemaOf(type, named)])),
    required: fields.filter(([, type]) => !isOptional(type)).map(([field]) => field),
  }
  if (name === null) return schema
  named.set(name, schema)
  return { $ref: `#/components/schemas/${name}` }
}
