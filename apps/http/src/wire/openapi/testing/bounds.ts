/** The part of a schema that bounds values. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly pattern?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly examples?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** A value at a bound, and one beyond it. */
export type Probe = { readonly bound: string; readonly within: unknown; readonly beyond: unknown }

const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

/** A text of so many characters that the pattern of a field takes. */
const textOf = (field: string, { pattern = '' }: Schema, length: number): string => {
  if (pattern.includes('[Hh]')) return 'https://shop.example/'.padEnd(length, 'x').slice(0, length)
  if (field === 'logo') return logoOf(length)
  if (field === 'address' && length > 900) return `${'x'.repeat(120)}\n`.repeat(9).slice(0, length)
  return (pattern.startsWith('\\d') ? '1' : 'x').repeat(length)
}

/** The `data:` URI of what begins like a JPEG image. */
const logoOf = (length: number): string => {
  const start = 'data:image/jpeg;base64,'
  const bytes = Buffer.alloc(Math.floor(((length - start.length) / 4) * 3))
  bytes.set([0xff, 0xd8, 0xff])
  const encoded = bytes.toString('base64')
  return `${start}${length % 4 === (start.length + encoded.length) % 4 ? encoded.slice(0, -1) : encoded}${'='}`.slice(
    0,
    length,
  )
}

const itemsOf = ({ items = {} }: Schema, count: number): ReadonlyArray<unknown> =>
  Array.from({ length: count }, (_, index) => {
    if (items.pattern?.startsWith('^(native') === true) return `A${index}:${account}`
    return items.enum?.[0] ?? items.examples?.[0] ?? 'payment.confirmed'
  })

const probesOf = (field: string, schema: Schema): ReadonlyArray<Probe> => {
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, minItems, maxItems } = schema
  const whole = [schema.type].flat()[0] === 'integer'
  const step = whole ? 1 : 0.01
  const probe = (bound: string, within: unknown, beyond: unknown): Probe => ({ bound, within, beyond })
  return [
    ...(minLength === undefined ? [] : [probe('minLength', textOf(field, schema, minLength), '')]),
    ...(maxLength === undefined
      ? []
      : [probe('maxLength', textOf(field, schema, maxLength), textOf(field, schema, maxLength + 1))]),
    ...(minimum === undefined ? [] : [probe('minimum', minimum, minimum - step)]),
    ...(exclusiveMinimum === undefined ? [] : [probe('exclusiveMinimum', exclusiveMinimum + step, exclusiveMinimum)]),
    ...(maximum === undefined ? [] : [probe('maximum', maximum, maximum + step)]),
    ...(minItems === undefined ? [] : [probe('minItems', itemsOf(schema, minItems), itemsOf(schema, minItems - 1))]),
    ...(maxItems === undefined ? [] : [probe('maxItems', itemsOf(schema, maxItems), itemsOf(schema, maxItems + 1))]),
  ]
}

/** The probes of each field of an object. `resolve` finds referenced schemas. */
export const fieldProbes = (
  schema: Schema,
  resolve: (ref: string) => Schema,
): ReadonlyArray<Probe & { readonly field: string }> => {
  const { properties = {} } = schema.$ref === undefined ? schema : resolve(schema.$ref)
  return Object.entries(properties).flatMap(([field, each]) =>
    probesOf(field, each.anyOf?.[0] ?? each).map((probe) => ({ field, ...probe })),
  )
}
