import type { AssetId } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import { settlementSetUpId } from '@quittance/projections'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { Network, Services } from '../../services/services.ts'
import { operatorAccount } from '../outgoing/signing-accounts.ts'
import type { MerchantSettlement } from './merchant-facts.ts'
import { planSetUp } from './plan.ts'
import { standingOf, triesOf } from './step-tries.ts'

/**
 * The assets with trustlines that the service is about to set: the account can afford them or the operator sponsors
 * them, and the last try did not fail.
 */
export const pendingTrustlines = async (
  services: Pick<Services, 'readModels' | 'vault' | 'clock'>,
  _network: Network,
  { merchantId, environment, account, accepted, custody, isSponsored }: MerchantSettlement,
  view: AccountView,
): Promise<ReadonlySet<AssetId>> => {
  const row = (await services.readModels.settlementSetUps.withId(settlementSetUpId(merchantId, environment)))?.row
  const sponsor = isSponsored ? ((await operatorAccount(services, environment))?.account ?? null) : null
  const isOwn = custody === 'service' && row !== undefined && !row.isDone
  if (account === null || !isOwn || (isSponsored && sponsor === null)) return new Set()
  const assets = accepted.map(({ assetId }) => assetId)
  const of = { merchantId, environment, account, accountSetAt: row.accountSetAt }
  const { additions } = planSetUp({ account, assets, former: [], sponsor }, view)
  const isHopeful = async (action: (typeof additions)[number]) =>
    standingOf(await triesOf(services.readModels, of, action), 0) !== 'failed'
  return new Set((await filterInTurn(additions, isHopeful)).map(({ assetId }) => assetId))
}
