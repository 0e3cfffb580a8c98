import type { SqlDatabase, SqlValue } from '@quittance/event-store'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'

/** A query whose rows decode by a codec. The columns need the codec's names, if need be by `AS`. */
export const query = <A>(database: SqlDatabase, codec: t.Type<A, unknown>, sql: string) => {
  const statement = database.prepare(sql)
  return {
    one: (...parameters: ReadonlyArray<SqlValue>): A | null => {
      const row = statement.get(...parameters)
      return row === undefined ? null : decodeOrThrow(codec, row)
    },
    all: (...parameters: ReadonlyArray<SqlValue>): ReadonlyArray<A> =>
      statement.all(...parameters).map((row) => decodeOrThrow(codec, row)),
  }
}

export const orNull = <A, O>(codec: t.Type<A, O>) => t.union([codec, t.null])

/** A value that a column holds as JSON text. */
export const json = <A, O>(codec: t.Type<A, O>): t.Type<A, string> =>
  new t.Type(
    codec.name,
    codec.is,
    (text, context) => codec.validate(JSON.parse(String(text)), context),
    (value) => JSON.stringify(codec.encode(value)),
  )
