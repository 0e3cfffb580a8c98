import {
  type AcceptedAsset,
  type AccountId,
  type AssetId,
  type Environment,
  Merchant,
  type MerchantState,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import type { SettlementOwner } from '../../stores/settlement-problems.ts'

/** A merchant's settlement facts in one environment; null or empty for what is still missing. */
export type MerchantSettlement = SettlementOwner & {
  readonly merchantName: string | null
  readonly account: AccountId | null
  readonly accepted: ReadonlyArray<AcceptedAsset>
  readonly defaultAsset: AssetId | null
  readonly fundingAccounts: ReadonlyArray<AccountId>
  /** Whether the operator's account sponsors its reserves. */
  readonly isSponsored: boolean
}

export type MerchantSettlements = (
  merchantId: string,
  environment: Environment,
) => TE.TaskEither<StoreUnavailable, MerchantSettlement>

export const merchantSettlements = (store: EventStore): MerchantSettlements => {
  const merchantOf = rememberedStates(store, Merchant)
  return (merchantId, environment) => async () => {
    const merchant = await merchantOf(merchantId)
    return E.isLeft(merchant) ? merchant : E.right(settlementIn(merchant.right, merchantId, environment))
  }
}

export const settlementIn = (
  merchant: MerchantState,
  merchantId: string,
  environment: Environment,
): MerchantSettlement => {
  const { settlement, assets, fundingAccounts, isSponsored } =
    merchant.status === 'absent'
      ? { settlement: null, assets: null, fundingAccounts: [], isSponsored: false }
      : merchant.environments[environment]
  return {
    merchantId,
    environment,
    custody: settlement?.custody ?? 'service',
    merchantName: merchant.status === 'absent' ? null : merchant.name,
    account: settlement?.account ?? null,
    accepted: assets?.accepted ?? [],
    defaultAsset: assets?.defaultAsset ?? null,
    fundingAccounts,
    isSponsored,
  }
}
