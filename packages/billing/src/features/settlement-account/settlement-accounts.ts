import type { SignerUnavailable } from '@quittance/ledger'
import { fundingUri } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { networkOf, type Services } from '../../services/services.ts'
import { type ChangeAssetsFailure, changeAssets, type WantedAssets } from './change-assets.ts'
import { type MerchantSettlement, merchantSettlements } from './merchant-facts.ts'
import { readStanding } from './read-standing.ts'
import { requestSetUp, type SetUpFailure, type SetUpRequest } from './request-set-up.ts'
import { type SettlementResource, settlementResource } from './resource.ts'
import type { SettlementFailure } from './settlement-failure.ts'
import type { SettlementStanding } from './standing.ts'

/** Where merchants are paid, and what is still missing there. */
export interface SettlementAccounts {
  /** The merchant's account in the environment, as the ledger has it now. */
  readonly show: (scope: Scope) => TE.TaskEither<SettlementFailure, SettlementResource>
  /** Replaces what the merchant accepts, in the context's environment. */
  readonly accept: (
    context: CommandContext,
    wanted: WantedAssets,
  ) => TE.TaskEither<SettlementFailure | ChangeAssetsFailure, SettlementResource>
  /**
   * Has the service set the merchant's account up, and make one where there is none. Only the operator asks for this: a
   * sponsorship spends the operator's lumens.
   */
  readonly setUp: (context: CommandContext, request: SetUpRequest) => TE.TaskEither<SetUpFailure, SettlementResource>
}

export const settlementAccounts = (services: Services): SettlementAccounts => {
  const merchantSettlement = merchantSettlements(services.store)
  const show = ({ merchantId, environment }: Scope) =>
    pipe(merchantSettlement(merchantId, environment), TE.chainW(shown(services)))
  return {
    show,
    accept: (context, wanted) => pipe(changeAssets(services)(context, wanted), TE.chainW(shown(services))),
    setUp: requestSetUp(services, show),
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
