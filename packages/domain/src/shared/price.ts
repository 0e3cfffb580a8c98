import * as E from 'fp-ts/lib/Either.js'
import { Cents, maximumCents } from './cents.ts'
import { type CurrencyCode, exponentOf } from './currency.ts'
import { type Decimal, isPositive, isWhole, readDecimal, roundedHalfUp, shifted, wholePart } from './decimal.ts'
import { maximumStroops, Stroops } from './stroops.ts'

/** The two spellings of a price: in base units (`12.5`), and in hundredths of them (`1250`). */
export type PriceField = 'amount' | 'amountCents'

/** The texts of the JSON numbers as they were sent; `null` where a field was not sent. */
export type PriceInput = { readonly [Field in PriceField]: string | null }

/** Why a price is refused. */
export type PriceRejection =
  | { readonly _tag: 'AmountMissing' }
  | { readonly _tag: 'AmountsDisagree'; readonly amount: string; readonly amountCents: string }
  | { readonly _tag: 'MalformedNumber'; readonly field: PriceField }
  | { readonly _tag: 'NotPositive'; readonly field: PriceField }
  | { readonly _tag: 'NotWholeUnits'; readonly field: PriceField }
  | { readonly _tag: 'TooManyDecimals'; readonly field: PriceField; readonly decimals: number }
  | { readonly _tag: 'RoundsToZero'; readonly field: PriceField }
  | { readonly _tag: 'TooLarge'; readonly field: PriceField; readonly maximum: string }

type Reader<A> = (number: Decimal, field: PriceField) => E.Either<PriceRejection, A>

/** Reads either spelling, or both if they say the same; each as hundredths of a base unit. */
const readEither = <A>({ amount, amountCents }: PriceInput, read: Reader<A>): E.Either<PriceRejection, A> => {
  const readText = (text: string, field: PriceField, places: number): E.Either<PriceRejection, A> => {
    const number = readDecimal(text)
    if (number === null) return E.left({ _tag: 'MalformedNumber', field })
    return isPositive(number) ? read(shifted(number, places), field) : E.left({ _tag: 'NotPositive', field })
  }
  if (amount === null)
    return amountCents === null ? E.left({ _tag: 'AmountMissing' }) : readText(amountCents, 'amountCents', 0)
  const inBaseUnits = readText(amount, 'amount', 2)
  if (amountCents === null || E.isLeft(inBaseUnits)) return inBaseUnits
  const inHundredths = readText(amountCents, 'amountCents', 0)
  if (E.isLeft(inHundredths) || inHundredths.right === inBaseUnits.right) return inHundredths
  return E.left({ _tag: 'AmountsDisagree', amount, amountCents })
}

const largestCents = maximumCents.toString()

const readCents =
  (currency: CurrencyCode): Reader<Cents> =>
  (number, field) => {
    const exponent = exponentOf(currency)
    const tooLarge: PriceRejection = { _tag: 'TooLarge', field, maximum: largestCents }
    if (number.point > largestCents.length) return E.left(tooLarge)
    if (exponent === 0 && !isWhole(shifted(number, -2))) return E.left({ _tag: 'NotWholeUnits', field })
    if (exponent === 2 && !isWhole(number))
      return E.left({ _tag: 'TooManyDecimals', field, decimals: field === 'amount' ? 2 : 0 })
    const rounded = roundedHalfUp(number)
    if (rounded === 0n) return E.left({ _tag: 'RoundsToZero', field })
    return Cents.is(rounded) ? E.right(rounded) : E.left(tooLarge)
  }

/**
 * Reads a price in a currency, exactly, from either spelling.
 * Units: hundredths of the currency's base unit, 1 to 10¹³. Numbers are judged by value: `12.500` is `12.5`.
 * The format's rules hold for both spellings: currencies without decimals take whole units (cents in multiples of
 * 100); those with three or four decimals are rounded half up to two, so that `1.235` and `123.5` cents are both 124
 * cents; all others take two decimals, so their cents are integers. Two spellings agree if they are stored alike.
 * Errors: one of `PriceRejection`; `maximum` is in hundredths.
 * Source: the interface, "Amount format".
 */
export const readPrice = (input: PriceInput, currency: CurrencyCode): E.Either<PriceRejection, Cents> =>
  readEither(input, readCents(currency))

const largestStroops = maximumStroops.toString()

/**
 * Reads a price in an asset, exactly, from either spelling.
 * Units: stroops, 1 to 2^63 - 1: at most 7 decimals in base units, 5 in hundredths. Never rounds.
 * Errors: one of `PriceRejection`; `maximum` is in stroops.
 */
export const readAssetPrice = (input: PriceInput): E.Either<PriceRejection, Stroops> =>
  readEither(input, (hundredths, field): E.Either<PriceRejection, Stroops> => {
    const number = shifted(hundredths, 5)
    const tooLarge: PriceRejection = { _tag: 'TooLarge', field, maximum: largestStroops }
    if (number.point > largestStroops.length) return E.left(tooLarge)
    if (!isWhole(number)) return E.left({ _tag: 'TooManyDecimals', field, decimals: field === 'amount' ? 7 : 5 })
    const amount = wholePart(number)
    return Stroops.is(amount) ? E.right(amount) : E.left(tooLarge)
  })
