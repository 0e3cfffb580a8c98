import {
  type AcceptedAsset,
  Merchant,
  type MerchantEvent,
  type MerchantRejection,
  type MerchantState,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { type MerchantSettlement, settlementIn } from './merchant-facts.ts'

/**
 * The assets that a merchant wants to accept. Undefined: the list, or the default, stays as it is as far as the other
 * allows.
 */
export type WantedAssets = {
  readonly assets?: ReadonlyArray<string> | undefined
  readonly defaultAssetId?: string | undefined
}

/** The network does not offer the asset, and the merchant has not accepted it before. */
export type AssetNotKnown = { readonly _tag: 'AssetNotKnown'; readonly assetId: string }

export type MerchantNotFound = Extract<MerchantRejection, { readonly _tag: 'MerchantNotFound' }>

export type ChangeAssetsFailure = AssetNotKnown | MerchantNotFound | ExecuteFailure | NetworkNotConfigured

/**
 * Replaces the assets that a merchant accepts in the context's environment. Open checkouts keep their quoted asset. A
 * product keeps an asset that is no longer accepted, and cannot be sold until it is accepted again.
 */
export const changeAssets = async (
  services: Pick<Services, 'store' | 'networks'>,
  context: CommandContext,
  wanted: WantedAssets,
): Promise<E.Either<ChangeAssetsFailure, MerchantSettlement>> => {
  const { merchantId, environment } = context
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const decide = (state: MerchantState): Decision => {
    const acceptance = acceptanceOf(network.right, state, environment, wanted)
    if (E.isLeft(acceptance)) return acceptance
    return Merchant.decider.decide({ type: 'AcceptAssets', environment, ...acceptance.right })(state)
  }
  const expected = ['AssetNotKnown', 'MerchantNotFound'] as const
  const changed = await executeExpecting(services.store)(expected, Merchant, merchantId, context, decide)
  return E.isLeft(changed) ? changed : E.right(settlementIn(changed.right.state, merchantId, environment))
}

type Decision = E.Either<AssetNotKnown | MerchantRejection, ReadonlyArray<MerchantEvent>>
type Acceptance = { readonly assets: ReadonlyArray<AcceptedAsset>; readonly defaultAsset: AcceptedAsset['assetId'] }

const acceptanceOf = (
  { assets: offered }: Pick<Network, 'assets'>,
  merchant: MerchantState,
  environment: CommandContext['environment'],
  { assets, defaultAssetId }: WantedAssets,
): E.Either<AssetNotKnown | MerchantNotFound, Acceptance> => {
  if (merchant.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
  const before = merchant.environments[environment].assets
  const now = before?.accepted ?? []
  const ids = [...new Set<string>(assets ?? now.map(({ assetId }) => assetId))]
  const found = ids.map((id) => [id, now.find(isNamed(id)) ?? offered.find(isNamed(id))] as const)
  const unknown = found.find(([, asset]) => asset === undefined)
  if (unknown !== undefined) return E.left({ _tag: 'AssetNotKnown', assetId: unknown[0] })
  const accepted = found.flatMap(([, asset]) => asset ?? [])
  const stays = accepted.find(({ assetId }) => assetId === before?.defaultAsset) ?? accepted[0]
  const chosen = defaultAssetId === undefined ? stays : accepted.find(isNamed(defaultAssetId))
  return chosen === undefined
    ? E.left({ _tag: 'AssetNotKnown', assetId: defaultAssetId ?? '' })
    : E.right({ assets: accepted, defaultAsset: chosen.assetId })
}

const isNamed =
  (id: string) =>
  ({ assetId }: AcceptedAsset): boolean =>
    assetId === id
