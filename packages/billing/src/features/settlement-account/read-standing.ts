import type { LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Network, Services } from '../../services/services.ts'
import type { MerchantSettlement } from './merchant-facts.ts'
import { pendingTrustlines } from './pending.ts'
import { type SettlementStanding, settlementStanding } from './standing.ts'

/** The standing of a merchant's account on the ledger now. Reads the node once, or not at all without an account. */
export const readStanding = async (
  services: Pick<Services, 'readModels' | 'vault' | 'clock'>,
  network: Network,
  settlement: MerchantSettlement,
): Promise<E.Either<LedgerUnreachable, SettlementStanding>> => {
  const { account, accepted, custody } = settlement
  const recoverySigner = custody === 'service' ? (network.recoverySigner ?? null) : null
  const none = new Set<never>()
  if (account === null) return E.right(settlementStanding({ ...settlement, recoverySigner, pending: none }, null))
  const assets = accepted.map(({ assetId }) => assetId)
  const view = await network.gateway.accountView(account, assets)()
  if (E.isLeft(view)) return view
  const pending = view.right === null ? none : await pendingTrustlines(services, network, settlement, view.right)
  return E.right(settlementStanding({ ...settlement, recoverySigner, pending }, view.right))
}
