import { type JsonSchema, SchemaType } from '@quittance/client/wire'
import { Faults, WholeNumber } from '@quittance/sandbox'
import * as t from 'io-ts'
import { knobFieldWords, knobWords } from './fault-words.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const words: Readonly<Record<string, string>> = { ...knobFieldWords, ...knobWords }

const fieldsOf = (props: unknown): Readonly<Record<string, JsonSchema>> =>
  isRecord(props)
    ? Object.fromEntries(
        Object.entries(props).map(([field, each]) => [field, { ...schemaOf(each), description: words[field] }]),
      )
    : {}

/** The schema of the knobs as the sandbox reads them: objects that take no other fields, whole numbers, texts, and yes or no. */
const schemaOf = (codec: unknown): JsonSchema => {
  if (codec instanceof WholeNumber) return { type: 'integer', minimum: codec.least, maximum: codec.most }
  if (codec instanceof t.RefinementType && codec.type instanceof t.IntersectionType) {
    const parts: ReadonlyArray<unknown> = codec.type.types
    const [required, optional] = parts.map((part) => (isRecord(part) ? fieldsOf(part.props) : {}))
    return {
      type: 'object',
      properties: { ...required, ...optional },
      required: Object.keys(required ?? {}),
      additionalProperties: false,
    }
  }
  if (codec instanceof t.ReadonlyArrayType) return { type: 'array', items: schemaOf(codec.type) }
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  throw new Error('a fault knob is read by a codec that has no schema')
}

/** The codec of the sandbox's fault knobs. */
export const FaultKnobs = new SchemaType(Faults, Faults.name, schemaOf(Faults))
