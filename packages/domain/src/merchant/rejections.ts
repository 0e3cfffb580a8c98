import type { AccountId, AssetId } from '../shared/asset.ts'
import type { Environment } from '../shared/environment.ts'
import type { ApiKeyId } from '../shared/ids.ts'
import type { Text } from '../shared/text.ts'

/** Why a command about a merchant is refused, with the facts that explain it. */
export type MerchantRejection =
  | { readonly _tag: 'MerchantNotFound' }
  | { readonly _tag: 'MerchantAlreadyExists' }
  /** The account receives, or has received, for the other environment. */
  | { readonly _tag: 'SettlementAccountShared'; readonly account: AccountId; readonly environment: Environment }
  | { readonly _tag: 'AssetListedTwice'; readonly assetId: AssetId }
  | { readonly _tag: 'DefaultAssetNotAccepted'; readonly assetId: AssetId }
  | { readonly _tag: 'FundingAccountListedTwice'; readonly account: AccountId }
  /** It receives for the merchant, so it funds nothing. */
  | { readonly _tag: 'FundingAccountIsSettlement'; readonly account: AccountId }
  /** Meanwhile the merchant has another account, or accepts other assets. */
  | { readonly _tag: 'SetUpOutdated' }
  /** Retries come later and later, the last within `maximumHours`. */
  | { readonly _tag: 'DunningScheduleInvalid'; readonly maximumHours: number }
  /** What was sold before a decision keeps its fee. */
  | { readonly _tag: 'PlatformFeeBackdated' }
  | { readonly _tag: 'AppKeyWithoutScopes' }
  | { readonly _tag: 'ApiKeyIdTaken'; readonly keyId: ApiKeyId }
  | { readonly _tag: 'ApiKeyNotFound'; readonly keyId: ApiKeyId }
  | { readonly _tag: 'ApiKeyIsReplaced'; readonly keyId: ApiKeyId; readonly by: ApiKeyId }
  | { readonly _tag: 'ApiKeyIsRevoked'; readonly keyId: ApiKeyId }
  /** It left for another installation than the one that is meant now. */
  | { readonly _tag: 'MerchantLeftElsewhere'; readonly to: Text }
  /** Only a merchant that has left an installation comes to another. */
  | { readonly _tag: 'MerchantHasNotLeft' }
  /** A key takes the place of one for the same environment that may do the same, and stands for the same person. */
  | { readonly _tag: 'ReplacementUnlike'; readonly keyId: ApiKeyId }
