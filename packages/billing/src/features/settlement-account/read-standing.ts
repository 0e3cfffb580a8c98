import type { LedgerUnreachable } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network, Services } from '../../services/services.ts'
import type { MerchantSettlement } from './merchant-facts.ts'
import { pendingTrustlines } from './pending.ts'
import { type SettlementStanding, settlementStanding } from './standing.ts'

/** How a merchant's account stands on the ledger now: one question to the node, none where there is no account. */
export const readStanding =
  (services: Services, network: Network) =>
  (settlement: MerchantSettlement): TE.TaskEither<LedgerUnreachable, SettlementStanding> => {
    const { account, accepted } = settlement
    const facts = { ...settlement, pending: new Set<never>() }
    if (account === null) return TE.right(settlementStanding(facts, null))
    const assets = accepted.map(({ assetId }) => assetId)
    return pipe(
      network.gateway.accountView(account, assets),
      TE.map((view) => {
        const pending = view === null ? facts.pending : pendingTrustlines(services, network, settlement, view)
        return settlementStanding({ ...settlement, pending }, view)
      }),
    )
  }
