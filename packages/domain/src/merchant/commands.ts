import type { AccountId, AssetId } from '../shared/asset.ts'
import type { Environment } from '../shared/environment.ts'
import type { ApiKeyId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { PlatformFeeDecision } from '../shared/platform-fee.ts'
import type { MerchantProfile } from '../shared/profile.ts'
import type { Text } from '../shared/text.ts'
import type { PositiveCount, UnixMs } from '../shared/units.ts'
import type { AcceptedAsset, ApiKey, Arrival, Departure, OpeningBalance, Policy } from './events.ts'

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

/** The network was reset: ends the books of an account, once in each epoch. */
export type CloseBooks = {
  readonly type: 'CloseBooks'
  readonly environment: Environment
  readonly account: AccountId
  readonly epoch: PositiveCount
  readonly closing: ReadonlyArray<OpeningBalance>
  readonly setUpThrough: LedgerSequence
  readonly opening: ReadonlyArray<OpeningBalance>
  readonly at: UnixMs
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

/** An account of the merchant's own that charges its new mandates, or the service's (null). */
export type SetOperatorAccount = {
  readonly type: 'SetOperatorAccount'
  readonly environment: Environment
  readonly account: AccountId | null
}

/** Replaces the whole policy. */
export type SetPolicy = { readonly type: 'SetPolicy'; readonly policy: Policy }

/** Replaces the whole profile of one environment. `logo` is a `data:` URI. */
export type SetProfile = {
  readonly type: 'SetProfile'
  readonly environment: Environment
  readonly profile: MerchantProfile
  readonly logo: Text | null
}

/** Sets what the operator takes of what is sold from `from` on: at `setAt` at the earliest. */
export type SetPlatformFee = {
  readonly type: 'SetPlatformFee'
  readonly environment: Environment
} & PlatformFeeDecision

export type CreateApiKey = { readonly type: 'CreateApiKey'; readonly key: ApiKey }

/** Creates `key` in the place of another, which is valid until `validUntil` beside it. */
export type ReplaceApiKey = {
  readonly type: 'ReplaceApiKey'
  readonly keyId: ApiKeyId
  readonly key: ApiKey
  readonly validUntil: UnixMs
}

export type RevokeApiKey = { readonly type: 'RevokeApiKey'; readonly keyId: ApiKeyId }

/** Ends the merchant at this installation, for good. */
export type LeaveMerchant = { readonly type: 'LeaveMerchant' } & Departure

/** Begins the merchant at the installation that it has left for. */
export type ReceiveMerchant = { readonly type: 'ReceiveMerchant' } & Arrival

/** What may be asked of a merchant. */
export type MerchantCommand =
  | CreateMerchant
  | SetSettlementAccount
  | CloseBooks
  | AcceptAssets
  | DeclareFundingAccounts
  | CompleteSetUp
  | RequestSetUp
  | SetSponsorship
  | SetOperatorAccount
  | SetPolicy
  | SetProfile
  | SetPlatformFee
  | CreateApiKey
  | ReplaceApiKey
  | RevokeApiKey
  | LeaveMerchant
  | ReceiveMerchant
