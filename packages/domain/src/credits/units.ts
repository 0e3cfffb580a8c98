import type * as t from 'io-ts'
import { brandedDigits } from '../shared/branded.ts'

/**
 * Units of a product, such as minutes or calls: what credits are counted in. `units_per_credit` of them are one credit.
 * A digit string on the wire. The maximum is far above what 2^53 purchases of 2^53 credits of a million units make.
 */
export const Units = brandedDigits<{ readonly Units: symbol }>('Units', 10n ** 48n)
export type Units = t.TypeOf<typeof Units>

/** Names a number of units. Throws a `RangeError` for any other: the caller's bug. */
export const units = (number: bigint): Units => {
  if (Units.is(number)) return number
  throw new RangeError(`${number} is no number of units`)
}
