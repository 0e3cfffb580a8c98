/** Placeholders of the domain's units, replaced by an import as soon as the domain has them. */
export type Stroops = bigint
export type Cents = bigint
export type UnixMs = number
export type AssetId = string
export type AccountId = string
export type CurrencyCode = string

/** A decimal amount without trailing zeros, as wallets and SEP-7 write it. */
export const decimalFromStroops = (stroops: Stroops): string => {
  const digits = stroops.toString().padStart(8, '0')
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`.replace(/\.?0+$/, '')
}
