import { type AssetId, decimalFromCents, type FiatPrice, formatAmount, type Stroops } from '@quittance/domain'

/** A price with its currency, such as `12.5 USD`. */
export const inFiat = ({ currency, cents }: FiatPrice): string => `${decimalFromCents(cents)} ${currency}`

/** An amount of an asset, such as `12.5 USDC`; without an asset, of the asset that it was paid in. */
export const inAsset = (amount: Stroops, assetId: AssetId | null): string =>
  assetId === null ? 'an amount' : formatAmount(amount, assetId)

/** A moment as people read it, in UTC: `2026-11-28 20:45 UTC`. */
export const moment = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A code of a closed list, such as `balance_too_low`, in words. */
export const inWords = (code: string): string => code.replaceAll('_', ' ')

/** An address as people compare it: its first and last characters. */
export const short = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`

/** `1 day`, `3 days`. */
export const counted = (number: number | bigint, one: string): string =>
  `${number} ${one}${BigInt(number) === 1n ? '' : 's'}`
