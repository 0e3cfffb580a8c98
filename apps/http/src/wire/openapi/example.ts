import type { JsonSchema } from '@quittance/client/wire'
import { exampleTexts } from './example-texts.ts'

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values of fields by their names: an example has the first one that the field's schema lists. */
export type ChosenValues = Readonly<Record<string, ReadonlyArray<unknown>>>

export type ExampleOptions = {
  /** Finds referenced schemas. */
  readonly resolve: (ref: string) => JsonSchema
  readonly chosen: ChosenValues
}

/**
 * An example of a schema: its own first example, or the first value that it allows. Objects get their required fields.
 * Undefined when the schema allows nothing.
 */
export const exampleOf = (schema: unknown, options: ExampleOptions, field = ''): unknown => {
  if (!isObject(schema)) return null
  const example = (each: unknown, name = field) => exampleOf(each, options, name)
  if (typeof schema.$ref === 'string') return example(options.resolve(schema.$ref))
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if ('not' in schema) return undefined
  if (Array.isArray(schema.enum)) return chosenOf(schema.enum, options.chosen[field])
  if (Array.isArray(schema.anyOf)) return example(schema.anyOf[0])
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectExample(schema, example)
    case 'array':
      return [example(schema.items)].filter((item) => item !== undefined)
    case 'string':
      return exampleTexts[field] ?? 'text'
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return false
    default:
      return null
  }
}

const chosenOf = (values: ReadonlyArray<unknown>, chosen: ReadonlyArray<unknown> = []): unknown =>
  chosen.find((each) => values.includes(each)) ?? values[0]

const objectExample = (
  { properties, required }: JsonSchema,
  example: (schema: unknown, field: string) => unknown,
): unknown => {
  if (!isObject(properties) || !Array.isArray(required)) return {}
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, each]) => [name, example(each, name)] as const)
  return fields.some(([, value]) => value === undefined) ? undefined : withoutFailure(Object.fromEntries(fields))
}

/** What has not failed has no failure. */
const withoutFailure = (object: Readonly<Record<string, unknown>>): unknown => {
  if (typeof object.status !== 'string' || object.status === 'failed') return object
  const fields = Object.entries(object).map(([name, value]) => [name, name.startsWith('failure_') ? null : value])
  return Object.fromEntries(fields)
}
