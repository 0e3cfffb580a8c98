import { loneProgram, type SqlProgram, type SqlValue } from '@quittance/event-store'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'

type Parameters = ReadonlyArray<SqlValue>

/** A query whose rows decode by a codec. The columns need the codec's names, if need be by `AS "…"`. */
export const query = <A>(codec: t.Type<A, unknown>, text: string) => ({
  one: (...parameters: Parameters): SqlProgram<A | null> =>
    loneProgram(text, parameters, ({ rows: [row] }) => (row === undefined ? null : decodeOrThrow(codec, row))),
  all: (...parameters: Parameters): SqlProgram<ReadonlyArray<A>> =>
    loneProgram(text, parameters, ({ rows }) => rows.map((row) => decodeOrThrow(codec, row))),
})

/** Whether a query finds any row. */
export const exists =
  (text: string) =>
  (...parameters: Parameters): SqlProgram<boolean> =>
    loneProgram(text, parameters, ({ rows }) => rows.length > 0)

/** Writes; answers whether a row has changed. */
export const isChanged =
  (text: string) =>
  (...parameters: Parameters): SqlProgram<boolean> =>
    loneProgram(text, parameters, ({ changes }) => changes > 0)

/** Writes. */
export const write =
  (text: string) =>
  (...parameters: Parameters): SqlProgram<void> =>
    loneProgram(text, parameters, () => undefined)

export const orNull = <A, O>(codec: t.Type<A, O>) => t.union([codec, t.null])

/** A value that a column holds as JSON text. */
export const json = <A, O>(codec: t.Type<A, O>): t.Type<A, string> =>
  new t.Type(
    codec.name,
    codec.is,
    (text, context) => codec.validate(JSON.parse(String(text)), context),
    (value) => JSON.stringify(codec.encode(value)),
  )
