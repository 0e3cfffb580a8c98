import type * as t from 'io-ts'
import { brandedDigits } from './branded.ts'

/** A sequence number of an account, of which each transaction of that account uses up one: a bigint from 0 to 2^63 - 1. */
export const AccountSequence = brandedDigits<{ readonly AccountSequence: symbol }>('AccountSequence', 2n ** 63n - 1n)
export type AccountSequence = t.TypeOf<typeof AccountSequence>

/** Names a bigint as a sequence number. Throws a `RangeError` for any other: the caller's bug. */
export const accountSequence = (number: bigint): AccountSequence => {
  if (AccountSequence.is(number)) return number
  throw new RangeError(`${number} is no sequence number`)
}
