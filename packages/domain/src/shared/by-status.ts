import * as t from 'io-ts'
import { strict } from './strict.ts'

/** The shape of each status: its fields besides the status itself. */
type Statuses = Readonly<Record<string, t.Props>>
type ByStatus<S extends Statuses> = {
  readonly [K in keyof S & string]: { readonly status: K } & { readonly [F in keyof S[K]]: t.TypeOf<S[K][F]> }
}[keyof S & string]

/**
 * The codec of a state whose `status` tells its shape; it goes straight to that shape. The state of an aggregate is a codec
 * where a read model keeps it as its row.
 */
export const byStatus = <const S extends Statuses>(
  statuses: S,
  name: string,
): t.Type<ByStatus<S>, unknown, unknown> => {
  // `strict` gives each shape what `ByStatus` says; a type that follows a loop over its keys cannot be written.
  const shapes = new Map<string, t.Mixed>(
    Object.entries(statuses).map(([status, fields]) => [
      status,
      strict({ status: t.literal(status), ...fields }, `${name} ${status}`),
    ]),
  )
  const shapeOf = (input: unknown) =>
    t.UnknownRecord.is(input) && typeof input.status === 'string' ? shapes.get(input.status) : undefined
  return new t.Type<ByStatus<S>, unknown, unknown>(
    name,
    (input): input is ByStatus<S> => shapeOf(input)?.is(input) === true,
    (input, context) => shapeOf(input)?.validate(input, context) ?? t.failure(input, context),
    (state) => shapeOf(state)?.encode(state),
  )
}
