import type { JsonSchema } from '@quittance/client/wire'

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An example of a schema: its own first example, or the first value that it allows. Objects get their required fields.
 * `resolve` finds referenced schemas. Undefined when the schema allows nothing.
 */
export const exampleOf = (schema: unknown, resolve: (ref: string) => JsonSchema): unknown => {
  if (!isObject(schema)) return null
  const example = (each: unknown) => exampleOf(each, resolve)
  if (typeof schema.$ref === 'string') return example(resolve(schema.$ref))
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if ('not' in schema) return undefined
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return example(schema.anyOf[0])
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectExample(schema, example)
    case 'array':
      return [example(schema.items)].filter((item) => item !== undefined)
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return false
    default:
      return null
  }
}

const objectExample = ({ properties, required }: JsonSchema, example: (schema: unknown) => unknown) => {
  if (!isObject(properties) || !Array.isArray(required)) return {}
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, each]) => [name, example(each)] as const)
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
}
