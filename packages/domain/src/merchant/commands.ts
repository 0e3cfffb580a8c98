import type { AccountId, AssetId } from '../shared/asset.ts'
import type { Environment } from '../shared/environment.ts'
import type { ApiKeyId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { AcceptedAsset, ApiKey, OpeningBalance, Policy } from './events.ts'

export type CreateMerchant = { readonly type: 'CreateMerchant'; readonly name: Text }

export type SetSettlementAccount = {
  readonly type: 'SetSettlementAccount'
  readonly environment: Environment
  readonly account: AccountId
  readonly networkPassphrase: Text
  readonly setUpThrough: LedgerSequence
  /** An account of the merchant's own: the service has no key for it. */
  readonly custody?: 'merchant'
  readonly opening?: ReadonlyArray<OpeningBalance>
}

/** Replaces the list of accepted assets of one environment. */
export type AcceptAssets = {
  readonly type: 'AcceptAssets'
  readonly environment: Environment
  readonly assets: ReadonlyArray<AcceptedAsset>
  readonly defaultAsset: AssetId
}

/** Replaces the list of accounts that a merchant funds its settlement account from. */
export type DeclareFundingAccounts = {
  readonly type: 'DeclareFundingAccounts'
  readonly environment: Environment
  readonly accounts: ReadonlyArray<AccountId>
}

/** `trusted` are the accepted assets that need a trustline, in any order. */
export type CompleteSetUp = {
  readonly type: 'CompleteSetUp'
  readonly environment: Environment
  readonly account: AccountId
  readonly trusted: ReadonlyArray<AssetId>
  readonly ledger: LedgerSequence
}

/** Has an account looked at again that was set up once. */
export type RequestSetUp = { readonly type: 'RequestSetUp'; readonly environment: Environment }

export type SetSponsorship = {
  readonly type: 'SetSponsorship'
  readonly environment: Environment
  readonly isSponsored: boolean
}

/** Replaces the whole policy. */
export type SetPolicy = { readonly type: 'SetPolicy'; readonly policy: Policy }

export type CreateApiKey = { readonly type: 'CreateApiKey'; readonly key: ApiKey }

/** Creates `key` in the place of another, which is valid until `validUntil` beside it. */
export type ReplaceApiKey = {
  readonly type: 'ReplaceApiKey'
  readonly keyId: ApiKeyId
  readonly key: ApiKey
  readonly validUntil: UnixMs
}

export type RevokeApiKey = { readonly type: 'RevokeApiKey'; readonly keyId: ApiKeyId }

export type MerchantCommand =
  | CreateMerchant
  | SetSettlementAccount
  | AcceptAssets
  | DeclareFundingAccounts
  | CompleteSetUp
  | RequestSetUp
  | SetSponsorship
  | SetPolicy
  | CreateApiKey
  | ReplaceApiKey
  | RevokeApiKey
