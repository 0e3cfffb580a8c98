import type * as t from 'io-ts'

/** The merchant's own data. An update merges it; null removes a key. */
export type Metadata = Readonly<Record<string, unknown>>

/** The body of a request, by its codec; optional fields may be left out. */
export type RequestBody<C extends t.Mixed> = {
  readonly [Field in keyof t.OutputOf<C> as Needed<t.OutputOf<C>, Field>]: t.OutputOf<C>[Field]
} & {
  readonly [Field in keyof t.OutputOf<C> as Exclude<Field, Needed<t.OutputOf<C>, Field>>]?: Field extends 'metadata'
    ? Metadata
    : t.OutputOf<C>[Field]
}

type Needed<Fields, Field extends keyof Fields> = undefined extends Fields[Field] ? never : Field
