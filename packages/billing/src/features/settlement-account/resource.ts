import { assetCode, decimalFromStroops } from '@quittance/domain'
import { pegOf } from '@quittance/ledger'
import { problemInWords } from '../../stores/settlement-problems.ts'
import type { MerchantSettlement } from './merchant-facts.ts'
import type { AssetStanding, SettlementStanding } from './standing.ts'

/** A settlement account and its problems, as the API shows it. Amounts are decimals of XLM or of the asset. */
export const settlementResource = (
  settlement: MerchantSettlement,
  networkPassphrase: string,
  standing: SettlementStanding,
  fundingUri: string | null,
) => {
  const problems = standing.problems.map((each) => ({ code: each.code, ...problemInWords(settlement, each) }))
  return {
    object: 'settlement' as const,
    environment: settlement.environment,
    network_passphrase: networkPassphrase,
    custody: settlement.custody,
    address: standing.account,
    exists: standing.exists,
    balance: decimalFromStroops(standing.balance),
    reserve: decimalFromStroops(standing.reserve),
    missing: decimalFromStroops(standing.missing),
    assets: standing.assets.map(renderAsset),
    funding_accounts: settlement.fundingAccounts,
    funding: { sep7_uri: fundingUri },
    problems,
    next_step: problems[0]?.remedy ?? null,
    is_ready: standing.isReady,
  }
}
export type SettlementResource = ReturnType<typeof settlementResource>

const renderAsset = ({ asset, isDefault, trustline, balance }: AssetStanding) => ({
  asset_id: asset.assetId,
  code: assetCode(asset.assetId),
  peg: pegOf(asset),
  is_default: isDefault,
  trustline,
  balance: decimalFromStroops(balance),
})
