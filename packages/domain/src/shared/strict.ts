import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

type Values<P extends t.Props> = { readonly [K in keyof P]: t.TypeOf<P[K]> }
type Outputs<P extends t.Props> = { readonly [K in keyof P]: t.OutputOf<P[K]> }

/**
 * The codec of an object with exactly these fields; fields it does not know are dropped.
 * It does what `t.strict` does, and reads a third faster: it takes the known fields, where `t.strict` copies the object
 * and then removes the others. Reading a log is little else than this.
 */
export const strict = <P extends t.Props>(props: P, name = 'object'): t.Type<Values<P>, Outputs<P>, unknown> => {
  const fields = Object.entries(props)

  const mapped = (from: Readonly<Record<string, unknown>>, map: (codec: t.Mixed, value: unknown) => unknown) => {
    const to: Record<string, unknown> = {}
    for (const [key, codec] of fields) to[key] = map(codec, from[key])
    return to
  }

  const problems = (input: Readonly<Record<string, unknown>>, context: t.Context): t.Errors =>
    fields.flatMap(([key, codec]) => {
      const value = input[key]
      const result = codec.validate(value, t.appendContext(context, key, codec, value))
      return result._tag === 'Left' ? result.left : []
    })

  const validate = (input: unknown, context: t.Context): t.Validation<Values<P>> => {
    if (!t.UnknownRecord.is(input)) return t.failure(input, context)
    const output: Record<string, unknown> = {}
    for (const [key, codec] of fields) {
      // The path to a field is worked out only once something is wrong.
      const result = codec.validate(input[key], context)
      if (result._tag === 'Left') return E.left(problems(input, context))
      output[key] = result.right
    }
    // The loop has put there what `Values` says; a type that follows a loop over its keys cannot be written.
    return t.success(output as Values<P>)
  }

  return new t.Type(
    name,
    (input): input is Values<P> => t.UnknownRecord.is(input) && fields.every(([key, codec]) => codec.is(input[key])),
    validate,
    (value) => mapped(value, (codec, field) => codec.encode(field)) as Outputs<P>,
  )
}

/**
 * The codec of an object of fields that may be left out. They come out in this order, whatever order they came in: what is
 * made of an event does not depend on the store that it has passed through.
 */
export const partial = <P extends t.Props>(props: P): t.Type<t.TypeOfPartialProps<P>, t.OutputOfPartialProps<P>> => {
  const names = Object.keys(props)
  const ordered = <A extends object>(fields: A): A =>
    Object.fromEntries(Object.entries(fields).sort(([one], [other]) => names.indexOf(one) - names.indexOf(other))) as A
  const codec: t.Type<t.TypeOfPartialProps<P>, t.OutputOfPartialProps<P>> = t.exact(t.partial(props))
  return new t.Type(
    codec.name,
    codec.is,
    (input, context) => E.map((fields: t.TypeOfPartialProps<P>) => ordered(fields))(codec.validate(input, context)),
    (value) => ordered(codec.encode(value)),
  )
}
