import type { JsonSchema } from '@quittance/client/wire'

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An example of what a schema describes: of its own examples the first; else the first of what it allows. Fields that
 * may be left out are left out, unless they have an example of their own. `resolve` finds what a reference names.
 */
export const exampleOf = (schema: unknown, resolve: (ref: string) => JsonSchema): unknown => {
  if (!isObject(schema)) return null
  const example = (each: unknown) => exampleOf(each, resolve)
  if (typeof schema.$ref === 'string') return example(resolve(schema.$ref))
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return example(schema.anyOf[0])
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object':
      return isObject(schema.properties)
        ? Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, example(each)]))
        : {}
    case 'array':
      return schema.minItems === undefined && !isObject(schema.items) ? [] : [example(schema.items)]
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
