import { type AccountId, type AssetId, issuerOf } from '../shared/asset.ts'

/** Those of an account's assets for which it needs a trustline: neither XLM nor what it issues itself. */
export const trustedAssets = (account: AccountId, assets: ReadonlyArray<AssetId>): ReadonlyArray<AssetId> =>
  assets.filter((assetId) => assetId !== 'native' && issuerOf(assetId) !== account)
