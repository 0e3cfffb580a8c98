import {
  type AcceptedAsset,
  type AccountId,
  type AssetId,
  type Environment,
  Merchant,
  type Policy,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import { rememberedStates } from '../kernel/remembered.ts'

/** The merchant has no settlement account, or no assets, in this environment: nothing can be sold there yet. */
export type MerchantNotReady = { readonly _tag: 'MerchantNotReady'; readonly environment: Environment }
export type AssetNotAccepted = { readonly _tag: 'AssetNotAccepted'; readonly assetId: string }

/** Where and in what a merchant is paid in one environment. */
export type Settlement = {
  readonly merchantName: string
  readonly account: AccountId
  /** Who signs for the account. */
  readonly custody: 'service' | 'merchant'
  readonly networkPassphrase: string
  readonly accepted: ReadonlyArray<AcceptedAsset>
  readonly defaultAsset: AssetId
  readonly policy: Policy
  /** Whether the operator's account keeps the account's reserves. */
  readonly isSponsored: boolean
}

export type Settlements = (
  merchantId: string,
  environment: Environment,
) => TE.TaskEither<StoreUnavailable | MerchantNotReady, Settlement>

export const settlements = (store: EventStore): Settlements => {
  const merchantOf = rememberedStates(store, Merchant)
  return (merchantId, environment) =>
    pipe(
      merchantOf(merchantId),
      TE.chainEitherKW((merchant) => {
        const { settlement, assets, isSponsored } =
          merchant.status === 'absent'
            ? { settlement: null, assets: null, isSponsored: false }
            : merchant.environments[environment]
        return merchant.status === 'absent' || settlement === null || assets === null
          ? E.left<MerchantNotReady>({ _tag: 'MerchantNotReady', environment })
          : E.right({ merchantName: merchant.name, policy: merchant.policy, isSponsored, ...settlement, ...assets })
      }),
    )
}

/** The accepted asset of this name, by default the merchant's own default. */
export const acceptedAsset = (
  { accepted, defaultAsset }: Settlement,
  assetId: string | null,
): E.Either<AssetNotAccepted, AcceptedAsset> => {
  const wanted = assetId ?? defaultAsset
  return E.fromNullable<AssetNotAccepted>({ _tag: 'AssetNotAccepted', assetId: wanted })(
    accepted.find((each) => each.assetId === wanted),
  )
}
