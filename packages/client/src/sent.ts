import type * as t from 'io-ts'

/** Data of the merchant's own. On an update it is laid over what there is; null removes a key. */
export type Metadata = Readonly<Record<string, unknown>>

/** What a caller gives for a body: as its codec says, and what may be left out may be left out. */
export type Sent<C extends t.Mixed> = {
  readonly [Field in keyof t.OutputOf<C> as Needed<t.OutputOf<C>, Field>]: t.OutputOf<C>[Field]
} & {
  readonly [Field in keyof t.OutputOf<C> as Exclude<Field, Needed<t.OutputOf<C>, Field>>]?: Field extends 'metadata'
    ? Metadata
    : t.OutputOf<C>[Field]
}

type Needed<Fields, Field extends keyof Fields> = undefined extends Fields[Field] ? never : Field
