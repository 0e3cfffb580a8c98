import * as t from 'io-ts'

/** A fragment of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A codec with the JSON Schema of its input. Error messages quote its name. */
export class SchemaType<A, O = unknown> extends t.Type<A, O, unknown> {
  readonly _tag = 'SchemaType' as const
  readonly schema: JsonSchema
  constructor({ is, validate, encode }: t.Type<A, O, unknown>, name: string, schema: JsonSchema) {
    super(name, is, validate, encode)
    this.schema = schema
  }
}

/** A codec with a name for callers and a schema. */
export const described = <A, O>(codec: t.Type<A, O, unknown>, name: string, schema: JsonSchema): SchemaType<A, O> =>
  new SchemaType(codec, name, schema)

/** A codec with the reference's description of its field. */
export class DocumentedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>, unknown> {
  readonly _tag = 'DocumentedType' as const
  readonly codec: C
  readonly description: string
  constructor(codec: C, description: string) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
    this.description = description
  }
}

/** Adds a description for the reference. */
export const says = <C extends t.Mixed>(description: string, codec: C): DocumentedType<C> =>
  new DocumentedType(codec, description)

/** A codec of an optional field; `whenLeftOut` is its default. */
export class OptionalType<A, B, O> extends t.Type<A | B, O | null | undefined, unknown> {
  readonly _tag = 'OptionalType' as const
  readonly codec: t.Type<A, O, unknown>
  readonly whenLeftOut: B
  readonly takesNull: boolean
  constructor(codec: t.Type<A, O, unknown>, whenLeftOut: B, takesNull: boolean) {
    const isLeftOut = (input: unknown): boolean => input === undefined || (takesNull && input === null)
    super(
      codec.name,
      (input): input is A | B => input === whenLeftOut || codec.is(input),
      (input, context) => (isLeftOut(input) ? t.success(whenLeftOut) : codec.validate(input, context)),
      (value) => (codec.is(value) ? codec.encode(value) : undefined),
    )
    this.codec = codec
    this.whenLeftOut = whenLeftOut
    this.takesNull = takesNull
  }
}

/** An optional field; left out and null both read as null. */
export const optional = <A, O>(codec: t.Type<A, O, unknown>): OptionalType<A, null, O> =>
  new OptionalType(codec, null, true)

/** An optional field with a default. */
export const withDefault = <A, O>(codec: t.Type<A, O, unknown>, value: A): OptionalType<A, A, O> =>
  new OptionalType(codec, value, true)

/** A field of an update: undefined when it was left out, which keeps the current value. The codec handles null. */
export const unchanged = <A, O>(codec: t.Type<A, O, unknown>): OptionalType<A, undefined, O> =>
  new OptionalType(codec, undefined, false)

/** A codec that also accepts null. */
export class NullableType<A, O> extends t.Type<A | null, O | null, unknown> {
  readonly _tag = 'NullableType' as const
  readonly codec: t.Type<A, O, unknown>
  constructor(codec: t.Type<A, O, unknown>) {
    super(
      `${codec.name} or null`,
      (input): input is A | null => input === null || codec.is(input),
      (input, context) => (input === null ? t.success(null) : codec.validate(input, context)),
      (value) => (value === null ? null : codec.encode(value)),
    )
    this.codec = codec
  }
}

/** The value or null; the field itself is required. */
export const orNull = <A, O>(codec: t.Type<A, O, unknown>): NullableType<A, O> => new NullableType(codec)
