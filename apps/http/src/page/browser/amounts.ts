/**
 * A decimal amount such as `"12.5"` in whole stroops (1 unit = 10_000_000n). Null for other texts and for more than
 * seven fraction digits: nothing is rounded.
 */
export const stroopsFromDecimal = (text: string): bigint | null => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,7}))?$/.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(7, '0'))
}

/** Whether an amount is positive; false for a text that is no amount. */
export const isPositive = (amount: string): boolean => (stroopsFromDecimal(amount) ?? 0n) > 0n

/**
 * An amount, which may be followed by its asset, with the decimal sign of a language. Digits are not grouped: the payer may
 * have to type them.
 */
export const localAmount = (decimalSign: string, amount: string): string =>
  amount.replace(/^(\d+)\.(?=\d)/, `$1${decimalSign}`)

/**
 * The price in its currency, such as `$12.50`. Null when it is in the settlement asset or has no customary notation:
 * the amount in the asset is then enough.
 */
export const currencyPrice = (
  locale: string,
  currencyCode: string,
  amount: string | number,
  settledIn: string,
): string | null => {
  if (currencyCode === settledIn || !/^[A-Z]{3}$/.test(currencyCode)) return null
  const value = Number(amount)
  return Number.isFinite(value)
    ? new Intl.NumberFormat(locale, { style: 'currency', currency: currencyCode }).format(value)
    : null
}
