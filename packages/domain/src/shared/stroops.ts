import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type AssetId, assetCode } from './asset.ts'
import { brandedDigits } from './branded.ts'

/** The largest amount that the ledger holds: 2^63 - 1 stroops. */
export const maximumStroops = 2n ** 63n - 1n
const stroopsPerUnit = 10_000_000n
const fractionDigits = 7

/** Whole 10⁻⁷ of an asset: a bigint from 0 to 2^63 - 1; a digit string on the wire. */
export const Stroops = /* @__PURE__ */ brandedDigits<{ readonly Stroops: symbol }>('Stroops', maximumStroops)
export type Stroops = t.TypeOf<typeof Stroops>

export type AmountRejection =
  | { readonly _tag: 'MalformedAmount'; readonly text: string }
  | { readonly _tag: 'AmountOutOfRange'; readonly text: string }

/** Names a bigint as stroops. Throws a `RangeError` outside 0 to 2^63 - 1: the caller's bug. */
export const stroops = (amount: bigint): Stroops => {
  if (Stroops.is(amount)) return amount
  throw new RangeError(`${amount} is no amount in stroops`)
}

/**
 * Reads a decimal asset amount, such as `"12.5"`, as whole stroops.
 * Shape: digits, then at most 7 fraction digits; no sign, exponent or grouping.
 * Units: 1 asset unit = 10_000_000n stroops. Never rounds: an eighth fraction digit is malformed.
 * Errors: `MalformedAmount` for any other text; `AmountOutOfRange` above 2^63 - 1.
 * Source: Stellar docs, Assets, "Amount precision".
 */
export const stroopsFromDecimal = (text: string): E.Either<AmountRejection, Stroops> => {
  const match = /^([0-9]+)(?:\.([0-9]{1,7}))?$/.exec(text)
  if (match === null) return E.left({ _tag: 'MalformedAmount', text })
  const [, units = '', fraction = ''] = match
  // 2^63 - 1 stroops have 12 digits before the point; a longer number is not worth reading.
  const significant = units.replace(/^0+/, '')
  if (significant.length > 12) return E.left({ _tag: 'AmountOutOfRange', text })
  const amount = BigInt(`${significant}${fraction.padEnd(fractionDigits, '0')}`)
  return Stroops.is(amount) ? E.right(amount) : E.left({ _tag: 'AmountOutOfRange', text })
}

/** Writes stroops as decimal asset units without trailing zeros: `125000000n` is `"12.5"`, `70000000n` is `"7"`. */
export const decimalFromStroops = (amount: Stroops): string => {
  const units = amount / stroopsPerUnit
  const fraction = (amount % stroopsPerUnit).toString().padStart(fractionDigits, '0').replace(/0+$/, '')
  return fraction === '' ? `${units}` : `${units}.${fraction}`
}

/** Writes an amount with its asset's code, such as `"12.5 USDC"`; the native asset is `XLM`. */
export const formatAmount = (amount: Stroops, asset: AssetId): string =>
  `${decimalFromStroops(amount)} ${assetCode(asset)}`
