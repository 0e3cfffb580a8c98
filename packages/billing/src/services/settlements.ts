import {
  type AcceptedAsset,
  type AccountId,
  type AssetId,
  assetCode,
  type Environment,
  Merchant,
  type MerchantProfile,
  type PlatformFeeDecision,
  type Policy,
  type Text,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import { rememberedStates } from '../kernel/remembered.ts'

/** The merchant has no settlement account, or no assets, in this environment, and cannot sell anything there yet. */
export type MerchantNotReady = { readonly _tag: 'MerchantNotReady'; readonly environment: Environment }
/** `meant`: the accepted asset of that code, if a code alone was given. */
export type AssetNotAccepted = {
  readonly _tag: 'AssetNotAccepted'
  readonly assetId: string
  readonly meant: AssetId | null
}

/** The account and the assets in which a merchant is paid in one environment. */
export type Settlement = {
  readonly merchantName: string
  readonly account: AccountId
  /** The party that signs for the account. */
  readonly custody: 'service' | 'merchant'
  readonly networkPassphrase: string
  readonly accepted: ReadonlyArray<AcceptedAsset>
  readonly defaultAsset: AssetId
  readonly policy: Policy
  /** What the operator takes of sales, in the order in which it counts. */
  readonly platformFees: ReadonlyArray<PlatformFeeDecision>
  /** Who the merchant is, as pages, receipts and mails say it. */
  readonly profile: MerchantProfile
  /** A `data:` URI. */
  readonly logo: Text | null
  /** Whether the operator's account keeps the account's reserves. */
  readonly isSponsored: boolean
  /** The account that charges the merchant's new mandates; null: the service's. */
  readonly operator: AccountId | null
}

export type Settlements = (
  merchantId: string,
  environment: Environment,
) => TE.TaskEither<StoreUnavailable | MerchantNotReady, Settlement>

export const settlements = (store: EventStore): Settlements => {
  const merchantOf = rememberedStates(store, Merchant)
  return (merchantId, environment) => async () => {
    const found = await merchantOf(merchantId)
    if (E.isLeft(found)) return found
    const merchant = found.right
    const notReady = E.left<MerchantNotReady>({ _tag: 'MerchantNotReady', environment })
    if (merchant.status === 'absent') return notReady
    const { settlement, assets, isSponsored, operator, profile, logo, platformFees } =
      merchant.environments[environment]
    if (settlement === null || assets === null) return notReady
    const who = { merchantName: merchant.name, policy: merchant.policy, profile, logo, platformFees }
    return E.right({ ...who, isSponsored, operator, ...settlement, ...assets })
  }
}

/** The accepted asset with this id; the merchant's default if it is null. */
export const acceptedAsset = (
  { accepted, defaultAsset }: Settlement,
  assetId: string | null,
): E.Either<AssetNotAccepted, AcceptedAsset> => {
  const wanted = assetId ?? defaultAsset
  const meant = accepted.find((each) => assetCode(each.assetId) === wanted.toUpperCase())?.assetId ?? null
  return E.fromNullable<AssetNotAccepted>({ _tag: 'AssetNotAccepted', assetId: wanted, meant })(
    accepted.find((each) => each.assetId === wanted),
  )
}
