import { type AccountId, type AssetId, type TrustlineAction, trustedAssets } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import { costOfEntry, type SettlementCosts, settlementCosts } from './standing.ts'

/** The set-up that a merchant wants. `assets` are accepted, the default first; `former` were accepted once. */
export type WantedSetUp = {
  readonly account: AccountId
  readonly assets: ReadonlyArray<AssetId>
  readonly former: ReadonlyArray<AssetId>
  /** The account that sponsors the reserves; null: the account itself. */
  readonly sponsor: AccountId | null
}

/**
 * The next steps of a set-up. `additions` are trustlines that the account can afford, in the order of the assets;
 * `unaffordable` wait for lumens. `removable` trustlines hold nothing and await nothing by an offer; the caller checks
 * whether anybody still pays with them. `kept` are former trustlines that hold something.
 */
export type SetUpPlan = {
  readonly additions: ReadonlyArray<TrustlineAction>
  readonly unaffordable: ReadonlyArray<AssetId>
  readonly removable: ReadonlyArray<TrustlineAction>
  readonly kept: ReadonlyArray<AssetId>
}

/** Plans from the ledger's view of the account, which must include the accepted and the former assets. */
export const planSetUp = (
  { account, assets, former, sponsor }: WantedSetUp,
  view: AccountView,
  costs: SettlementCosts = settlementCosts,
): SetUpPlan => {
  const existing = new Map(view.trustlines.map((each) => [each.assetId, each]))
  const missing = trustedAssets(account, assets).filter((assetId) => !existing.has(assetId))
  const affordable = sponsor === null ? Number(view.nativeSpendable / costOfEntry(costs)) : missing.length
  const left = former.flatMap((assetId) => existing.get(assetId) ?? [])
  const isEmpty = (line: (typeof left)[number]) => line.balance === 0n && line.receivable === line.limit
  return {
    additions: missing.slice(0, affordable).map((assetId) => ({
      _tag: 'change_trust',
      assetId,
      limit: 'maximum',
      ...(sponsor === null ? {} : { sponsor }),
    })),
    unaffordable: missing.slice(affordable),
    removable: left.filter(isEmpty).map(({ assetId }) => ({ _tag: 'change_trust', assetId, limit: 'remove' })),
    kept: left.filter((line) => !isEmpty(line)).map(({ assetId }) => assetId),
  }
}
