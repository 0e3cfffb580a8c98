import { wrongPlaces } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/**
 * Decodes a value that our own code has written. Throws for any other: the message names the wrong fields and their types,
 * never their values, since these may be personal and defects are logged.
 */
export const decodeOrThrow = <A, O>(codec: t.Type<A, O>, value: unknown): A => {
  const decoded = codec.decode(value)
  if (E.isLeft(decoded)) throw new Error(`not a ${codec.name}: ${wrongPlaces(decoded.left)}`)
  return decoded.right
}
