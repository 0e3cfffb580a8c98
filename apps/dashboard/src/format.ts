import { computed } from '@preact/signals'
import { language } from './service/settings.ts'

const localeOf = computed(() => {
  const own = navigator.languages.find((each) => each.startsWith(language.value))
  return own ?? language.value
})

/** A price of 100ths of a currency's unit. */
export const money = (cents: number, currency: string): string => {
  try {
    return new Intl.NumberFormat(localeOf.value, { style: 'currency', currency }).format(cents / 100)
  } catch {
    // An asset's code, which Intl does not know.
    return `${decimalOf(String(cents / 100))} ${currency}`
  }
}

/** A decimal of any length, without rounding. */
export const decimalOf = (digits: string): string => {
  const [, fraction = ''] = digits.split('.')
  const format = new Intl.NumberFormat(localeOf.value, {
    minimumFractionDigits: fraction.length,
    maximumFractionDigits: 20,
  })
  return /^-?\d+(\.\d+)?$/.test(digits) ? format.format(digits as `${number}`) : digits
}

/** An amount as the API writes it: `12.5 USDC`. */
export const amount = (text: string): string => {
  const [digits = '', ...unit] = text.split(' ')
  return [decimalOf(digits), ...unit].join(' ')
}

export const count = (number: number): string => new Intl.NumberFormat(localeOf.value).format(number)

export const percent = (share: number): string =>
  new Intl.NumberFormat(localeOf.value, { style: 'percent', maximumFractionDigits: 1 }).format(share)

export const dateTime = (timestamp: string): string =>
  new Intl.DateTimeFormat(localeOf.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp))

/** A day of UTC, such as `2026-11-20`. */
export const day = (date: string): string =>
  new Intl.DateTimeFormat(localeOf.value, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))

/** The code of an asset: `CODE:ISSUER` or `native`. */
export const assetCode = (assetId: string): string =>
  assetId === 'native' ? 'XLM' : (assetId.split(':')[0] ?? assetId)

/** An account or a hash, short enough for a table. */
export const short = (text: string): string => (text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text)
