import {
  type AccountId,
  type AssetId,
  Funding,
  FundingId,
  type FundingRejection,
  hourMs,
  Merchant,
  type MerchantRejection,
  type Stroops,
  unixMs,
} from '@quittance/domain'
import { fundings as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { rowAfter } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type FundingResource, fundingResource } from '../../resources/funding.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { ownAccounts } from './own-accounts.ts'
import type { FundingServices } from './services.ts'

/** One expected payment. Null: any sender, asset or amount. It expires `hours` from now. */
export type NewAnnouncement = {
  readonly from: AccountId | null
  readonly assetId: AssetId | null
  readonly amount: Stroops | null
  readonly hours: number
}

/**
 * An account that somebody else uses cannot be declared: others' money would count as the merchant's. `by` says who
 * uses it.
 */
export type FundingAccountShared = {
  readonly _tag: 'FundingAccountShared'
  readonly account: AccountId
  readonly by: 'omnibus' | 'merchant' | 'service'
}

/** Why a funding cannot be announced. */
export type AnnounceFailure = ExecuteFailure | FundingRejection
type NotDeclarable = Extract<
  MerchantRejection,
  { readonly _tag: 'MerchantNotFound' | 'FundingAccountListedTwice' | 'FundingAccountIsSettlement' }
>
/** Why money that came cannot be declared a funding. */
export type DeclareFailure = ExecuteFailure | NotDeclarable | FundingAccountShared

/** The merchant's own money: the accounts it comes from, what is announced, and what has arrived. */
export interface Fundings {
  /** Announces one payment, which then counts as funding. Repeated, it announces nothing more. */
  readonly announce: (
    context: CommandContext,
    announcement: NewAnnouncement,
  ) => TE.TaskEither<AnnounceFailure, FundingResource>
  /** Replaces and returns the list of accounts that fund the merchant's settlement account. */
  readonly declare: (
    context: CommandContext,
    accounts: ReadonlyArray<AccountId>,
  ) => TE.TaskEither<DeclareFailure, ReadonlyArray<AccountId>>
  /** As `declare`, as the first part of another command: repeated with it, it runs once. Null changes nothing. */
  readonly declareFirst: (
    context: CommandContext,
    accounts: ReadonlyArray<AccountId> | null,
  ) => TE.TaskEither<DeclareFailure, void>
  readonly declared: (scope: Scope) => T.Task<ReadonlyArray<AccountId>>
  readonly list: (page: PageRequest) => T.Task<Listing<FundingResource>>
}

export const fundings = (services: FundingServices): Fundings => {
  const { store, readModels, caughtUp } = services
  return {
    announce:
      (context, { hours, ...wanted }) =>
      async () => {
        const id = createdId(FundingId, context.at, context.commandId)
        const expected = { ...wanted, announcedAt: context.at, expiresAt: unixMs(context.at + hours * hourMs) }
        const decide = Funding.decider.decide({ type: 'AnnounceFunding', ...expected })
        const announced = await execute(store)(Funding, id, context, decide)
        return E.isLeft(announced) ? announced : E.right(fundingResource(rowAfter(model, id)(announced.right)))
      },
    declare: (context, accounts) => () => declare(services, context, accounts),
    declareFirst:
      ({ alongside: _, answerFrom: __, answeredFrom: ___, ...context }, accounts) =>
      async () => {
        if (accounts === null) return E.right(undefined)
        const commandId = derivedCommandId(context.commandId, 'funding accounts')
        const declared = await declare(services, { ...context, commandId }, accounts)
        return E.isLeft(declared) ? declared : E.right(undefined)
      },
    declared:
      ({ merchantId, environment }) =>
      async () => {
        await caughtUp.withOwnWrites(merchantId)
        return (await readModels.merchants.withId(merchantId))?.row.fundingAccounts[environment] ?? []
      },
    list: (page) => () => listed(services, readModels.fundings, page, fundingResource),
  }
}

const notDeclarable = ['MerchantNotFound', 'FundingAccountListedTwice', 'FundingAccountIsSettlement'] as const

const declare = async (
  services: FundingServices,
  context: CommandContext,
  accounts: ReadonlyArray<AccountId>,
): Promise<E.Either<DeclareFailure, ReadonlyArray<AccountId>>> => {
  const { environment, merchantId } = context
  const [shared] = (await Promise.all(accounts.map((account) => sharedBy(services, context, account)))).flat()
  if (shared !== undefined) return E.left(shared)
  const decide = Merchant.decider.decide({ type: 'DeclareFundingAccounts', environment, accounts })
  const declared = await executeExpecting(services.store)(notDeclarable, Merchant, merchantId, context, decide)
  if (E.isLeft(declared)) return declared
  const { state } = declared.right
  return E.right(state.status === 'absent' ? [] : state.environments[environment].fundingAccounts)
}

const sharedBy = async (
  services: Pick<Services, 'readModels' | 'vault' | 'omnibusAccounts'>,
  { merchantId, environment }: Scope,
  account: AccountId,
): Promise<ReadonlyArray<FundingAccountShared>> => {
  const shared = (by: FundingAccountShared['by']) => [{ _tag: 'FundingAccountShared' as const, account, by }]
  if (services.omnibusAccounts.has(account)) return shared('omnibus')
  if ((await ownAccounts(services, environment)).has(account)) return shared('service')
  const watching = await services.readModels.watchedAccounts.withKey(account)
  return watching.some((each) => each.merchantId !== merchantId) ? shared('merchant') : []
}
