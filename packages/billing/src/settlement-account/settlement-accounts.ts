import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import { fundingUri } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../execute.ts'
import type { StoreUnavailable } from '../load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../services.ts'
import { type ChangeAssetsFailure, changeAssets, type WantedAssets } from './change-assets.ts'
import { type MerchantSettlement, merchantSettlements } from './merchant-facts.ts'
import { readStanding } from './read-standing.ts'
import { type SettlementResource, settlementResource } from './resource.ts'
import type { SettlementStanding } from './standing.ts'

export type SettlementFailure = StoreUnavailable | NetworkNotConfigured | LedgerUnreachable | SignerUnavailable

/** Where merchants are paid, and what is still missing there. */
export interface SettlementAccounts {
  /** The merchant's account in the environment, as the ledger has it now. */
  readonly show: (scope: Scope) => TE.TaskEither<SettlementFailure, SettlementResource>
  /** Replaces what the merchant accepts, in the context's environment. */
  readonly accept: (
    context: CommandContext,
    wanted: WantedAssets,
  ) => TE.TaskEither<SettlementFailure | ChangeAssetsFailure, SettlementResource>
}

export const settlementAccounts = (services: Services): SettlementAccounts => {
  const merchantSettlement = merchantSettlements(services.store)
  return {
    show: ({ merchantId, environment }) =>
      pipe(merchantSettlement(merchantId, environment), TE.chainW(shown(services))),
    accept: (context, wanted) => pipe(changeAssets(services)(context, wanted), TE.chainW(shown(services))),
  }
}

const shown =
  (services: Services) =>
  (settlement: MerchantSettlement): TE.TaskEither<SettlementFailure, SettlementResource> =>
    pipe(
      TE.fromEither(networkOf(services, settlement.environment)),
      TE.bindTo('network'),
      TE.bindW('standing', ({ network }) => readStanding(services, network)(settlement)),
      TE.bindW('uri', ({ network, standing }) =>
        signedFundingUri(services, network.gateway.networkPassphrase, settlement, standing),
      ),
      TE.map(({ network, standing, uri }) =>
        settlementResource(settlement, network.gateway.networkPassphrase, standing, uri),
      ),
    )

/** A request to send the account what it lacks, or any amount once it lacks nothing; null without an account. */
const signedFundingUri = (
  { signRequest }: Services,
  networkPassphrase: string,
  { merchantName }: MerchantSettlement,
  { account, missing }: SettlementStanding,
): TE.TaskEither<SignerUnavailable, string | null> =>
  account === null
    ? TE.right(null)
    : signRequest(
        fundingUri({ account, missing, networkPassphrase, message: `Fund the settlement account of ${merchantName}` }),
      )
