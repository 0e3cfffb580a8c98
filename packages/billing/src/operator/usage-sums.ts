import type { AssetId, Cents, CurrencyCode } from '@quittance/domain'

/** What moved of an asset, priced in one currency: `cents` are its hundredths, null where nothing was priced. */
export type UsageLine = {
  readonly assetId: AssetId
  readonly currency: CurrencyCode | null
  readonly count: number
  readonly amount: bigint
  readonly cents: bigint | null
}

/** A price in a currency, as it was recorded with what moved. */
export type Fiat = { readonly currency: CurrencyCode; readonly cents: Cents }

/** Sums of what moved, by asset and currency. */
export const usageLines = () => {
  const lines = new Map<string, UsageLine>()
  return {
    add: (assetId: AssetId, amount: bigint, fiat: Fiat | null): void => {
      const currency = fiat?.currency ?? null
      const key = `${assetId} ${currency ?? ''}`
      const known = lines.get(key)
      lines.set(key, {
        assetId,
        currency,
        count: (known?.count ?? 0) + 1,
        amount: (known?.amount ?? 0n) + amount,
        cents: fiat === null ? null : (known?.cents ?? 0n) + fiat.cents,
      })
    },
    sorted: (): ReadonlyArray<UsageLine> =>
      [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line),
  }
}

/**
 * Splits a fee among the owners of a transaction's intents, one part an intent. Parts differ by a stroop at most: the first
 * intents bear what cannot be divided. So the parts make exactly the fee, and are the same each time.
 */
export const splitFee = (fee: bigint, owners: ReadonlyArray<string>): ReadonlyMap<string, bigint> => {
  const shares = new Map<string, bigint>()
  const count = BigInt(owners.length)
  for (const [index, owner] of owners.entries()) {
    const part = fee / count + (BigInt(index) < fee % count ? 1n : 0n)
    shares.set(owner, (shares.get(owner) ?? 0n) + part)
  }
  return shares
}
