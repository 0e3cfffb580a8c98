import type * as t from 'io-ts'
import { brandedDigits } from './branded.ts'

/** The largest price in hundredths: 10¹¹ base units of its currency. */
export const maximumCents = 10n ** 13n

/**
 * A price in hundredths of its currency's base unit, for every currency: 1000 JPY are `100000n`. From 0 to 10¹³; a
 * digit string on the wire.
 */
export const Cents = brandedDigits<{ readonly Cents: symbol }>('Cents', maximumCents)
export type Cents = t.TypeOf<typeof Cents>

/** Names a bigint as hundredths. Throws a `RangeError` outside 0 to 10¹³: the caller's bug. */
export const cents = (amount: bigint): Cents => {
  if (Cents.is(amount)) return amount
  throw new RangeError(`${amount} is no price in hundredths`)
}

/** Writes a price in base units, without trailing zeros: `1250n` is `"12.5"`, which is also a JSON number. */
export const decimalFromCents = (amount: Cents): string => {
  const fraction = (amount % 100n).toString().padStart(2, '0').replace(/0+$/, '')
  return fraction === '' ? `${amount / 100n}` : `${amount / 100n}.${fraction}`
}
