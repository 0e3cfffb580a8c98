/** Placeholders of the domain's units, replaced by an import as soon as the domain has them. */
export type Stroops = bigint
export type Cents = bigint
export type UnixMs = number
export type AssetId = string
export type AccountId = string
export type CurrencyCode = string
