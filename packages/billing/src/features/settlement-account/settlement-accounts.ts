import type { SignerUnavailable } from '@quittance/ledger'
import { fundingUri } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { networkOf, type Services } from '../../services/services.ts'
import { type ChangeAssetsFailure, changeAssets, type WantedAssets } from './change-assets.ts'
import { type MerchantSettlement, merchantSettlements } from './merchant-facts.ts'
import { readStanding } from './read-standing.ts'
import { requestSetUp, type SetUpFailure, type SetUpRequest } from './request-set-up.ts'
import { type SettlementResource, settlementResource } from './resource.ts'
import type { SettlementAccountServices } from './services.ts'
import type { SettlementFailure } from './settlement-failure.ts'
import type { SettlementStanding } from './standing.ts'

/** The accounts where merchants are paid, and what is still missing there. */
export interface SettlementAccounts {
  /** The merchant's account in the environment, as on the ledger now. */
  readonly show: (scope: Scope) => TE.TaskEither<SettlementFailure, SettlementResource>
  /** Replaces the assets that the merchant accepts in the context's environment. */
  readonly accept: (
    context: CommandContext,
    wanted: WantedAssets,
  ) => TE.TaskEither<SettlementFailure | ChangeAssetsFailure, SettlementResource>
  /**
   * Has the service set the merchant's account up, and create one if there is none. Only the operator may request this:
   * a sponsorship spends the operator's lumens.
   */
  readonly setUp: (context: CommandContext, request: SetUpRequest) => TE.TaskEither<SetUpFailure, SettlementResource>
}

export const settlementAccounts = (services: SettlementAccountServices): SettlementAccounts => {
  const merchantSettlement = merchantSettlements(services.store)
  const show = async ({ merchantId, environment }: Scope) => {
    const settlement = await merchantSettlement(merchantId, environment)()
    return E.isLeft(settlement) ? settlement : shown(services, settlement.right)
  }
  return {
    show: (scope) => () => show(scope),
    accept: (context, wanted) => async () => {
      const changed = await changeAssets(services, context, wanted)
      return E.isLeft(changed) ? changed : shown(services, changed.right)
    },
    setUp: (context, request) => () => requestSetUp(services, show, context, request),
  }
}

const shown = async (
  services: SettlementAccountServices,
  settlement: MerchantSettlement,
): Promise<E.Either<SettlementFailure, SettlementResource>> => {
  const network = networkOf(services, settlement.environment)
  if (E.isLeft(network)) return network
  const { networkPassphrase } = network.right.gateway
  const standing = await readStanding(services, network.right, settlement)
  if (E.isLeft(standing)) return standing
  const uri = await signedFundingUri(services, networkPassphrase, settlement, standing.right)
  if (E.isLeft(uri)) return uri
  return E.right(settlementResource(settlement, networkPassphrase, standing.right, uri.right))
}

/** A request to send the account the lumens that it lacks, or any amount if it lacks none; null without an account. */
const signedFundingUri = async (
  { signRequest }: Pick<Services, 'signRequest'>,
  networkPassphrase: string,
  { merchantName }: MerchantSettlement,
  { account, missing }: SettlementStanding,
): Promise<E.Either<SignerUnavailable, string | null>> => {
  if (account === null) return E.right(null)
  const message = `Fund the settlement account of ${merchantName}`
  return signRequest(fundingUri({ account, missing, networkPassphrase, message }))()
}
