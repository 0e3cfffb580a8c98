import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'

/** Decodes what only our own code can have written; anything else is a defect. */
export const decodeOrThrow = <A, O>(codec: t.Type<A, O>, value: unknown): A => {
  const decoded = codec.decode(value)
  if (E.isLeft(decoded)) throw new Error(`not a ${codec.name}: ${PathReporter.report(decoded).join('; ')}`)
  return decoded.right
}
