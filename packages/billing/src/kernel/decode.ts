import { wrongPlaces } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/**
 * Decodes what only our own code can have written; anything else is a defect, and thrown. It says where the value is
 * wrong and what stands there, never the value: that may be personal, and defects are logged.
 */
export const decodeOrThrow = <A, O>(codec: t.Type<A, O>, value: unknown): A => {
  const decoded = codec.decode(value)
  if (E.isLeft(decoded)) throw new Error(`not a ${codec.name}: ${wrongPlaces(decoded.left)}`)
  return decoded.right
}
