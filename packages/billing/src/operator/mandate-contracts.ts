import {
  type AccountId,
  asText,
  type ContractId,
  type Environment,
  Merchant,
  type Migration,
  type MigrationCommand,
  Migrations,
  openMigrationOf,
  type SubscriptionId,
  type Text,
} from '@quittance/domain'
import type { ContractCode, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { ownContract } from '../features/contract-rent/keep-contracts.ts'
import { type CannotCollect, unfitContract } from '../features/mandates/collecting.ts'
import type { MandatesNotConfigured } from '../features/mandates/failures.ts'
import {
  type ContractStanding,
  contractStandings,
  type Ends,
  endsSince,
  type FormerMandate,
  type FormerServices,
  formerMandates,
  placeOfNew,
} from '../features/migrations/former.ts'
import { makeOwnKeys } from '../features/outgoing/signing-accounts.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { type ExecuteFailure, execute } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { platform } from '../kernel/platform.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'

/** A mandate contract, and how many living mandates name it, by operator accounts. */
export type ContractInUse = ContractStanding & {
  readonly living: number
  readonly operators: ReadonlyArray<{
    readonly operator: AccountId
    /** The service's own, as opposed to a merchant's. */
    readonly isService: boolean
    readonly living: number
  }>
}

/** A living mandate that is not where new ones are, its subscription, and where its customer signs if asked to. */
export type FormerSubscription = {
  readonly subscriptionId: SubscriptionId
  readonly merchantId: string
  readonly contract: ContractId
  readonly operator: AccountId
  readonly standing: FormerMandate['standing']
  readonly updateUrl: string | null
}

/** How many mandates a migration has left to move, by their standings. */
export type MandatesLeft = Readonly<Record<FormerMandate['standing'], number>>

/** `left` is null once it has ended; then its end has the figures that count. */
export type MigrationProgress = Migration & { readonly left: MandatesLeft | null; readonly ends: Ends }

/** Which subscribers to move: of all merchants (null) or of one. */
export type MigrationRequest = { readonly merchantId: string | null; readonly by: Text; readonly reason: Text }

/** Why subscribers cannot be moved to another contract. */
export type MigrationFailure =
  | ExecuteFailure
  | LedgerUnreachable
  | NetworkNotConfigured
  | MandatesNotConfigured
  | MerchantNotFound
  | CannotCollect
  /** No living mandate of these subscribers names a former contract or operator account. */
  | { readonly _tag: 'NothingToMigrate' }

type MigrationOutcome = { readonly isNew: boolean; readonly migration: MigrationProgress | null }

export type OwnContract = {
  readonly configured: ContractId | null
  readonly own: { readonly contract: ContractId; readonly operator: AccountId; readonly code: ContractCode } | null
}

/** The contracts that mandates name, and the migration of subscribers to the one that new mandates name. */
export interface MandateContracts {
  /**
   * The contract that the service's operator account makes of the code of this version, and the one that is configured for new
   * mandates. If they are the same, the worker makes it where the ledger lacks it. Null without an operator account or a code.
   */
  readonly own: (environment: Environment) => Promise<OwnContract>
  /** The current contract first. */
  readonly list: (environment: Environment) => TE.TaskEither<ExecuteFailure, ReadonlyArray<ContractInUse>>
  /**
   * Asks the customers of all former mandates for new ones, which the worker does. Each is charged by the old one until the new
   * one is on the ledger.
   */
  readonly migrate: (
    environment: Environment,
    request: MigrationRequest,
  ) => TE.TaskEither<MigrationFailure, MigrationOutcome>
  /** Asks nobody any more, and takes back what was asked. Who has signed stays in the new contract. */
  readonly cancel: (
    environment: Environment,
    request: MigrationRequest,
  ) => TE.TaskEither<MigrationFailure, MigrationOutcome>
  /** All migrations, newest first. */
  readonly migrations: (environment: Environment) => TE.TaskEither<ExecuteFailure, ReadonlyArray<MigrationProgress>>
  /** The former mandates that live, of all merchants (null) or of one. */
  readonly former: (
    environment: Environment,
    merchantId: string | null,
  ) => TE.TaskEither<ExecuteFailure, ReadonlyArray<FormerSubscription>>
}

type ContractServices = FormerServices & Pick<Services, 'store' | 'caughtUp' | 'clock' | 'freshId' | 'publicUrl'>

export const mandateContracts = (services: ContractServices): MandateContracts => ({
  own: async (environment) => {
    const network = services.networks[environment]
    if (network === null) return { configured: null, own: null }
    return { configured: network.mandateContract, own: await ownContract(services, network, environment) }
  },
  list: (environment) => async () => {
    const caught = await services.caughtUp.withLog()
    return E.isLeft(caught) ? caught : E.right(await contractsInUse(services, environment))
  },
  migrate: (environment, request) => () => migrate(services, environment, request),
  cancel: (environment, request) => () =>
    decide(services, environment, request, (decision) => ({ type: 'CancelMigration', ...decision })),
  migrations: (environment) => () => migrationsIn(services, environment),
  former: (environment, merchantId) => async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const found = []
    for await (const each of formerMandates(services, environment))
      if (merchantId === null || each.merchantId === merchantId) found.push(await formerSubscription(services, each))
    return E.right(found)
  },
})

const contractsInUse = async (
  services: ContractServices,
  environment: Environment,
): Promise<ReadonlyArray<ContractInUse>> => {
  const { mandates } = services.readModels
  const place = await placeOfNew(services, environment, null)
  const places = await mandates.places(environment)
  return await Promise.all(
    (await contractStandings(services, environment)).map(async ({ contract, standing }) => {
      const operators = await Promise.all(
        places
          .filter((each) => each.contract === contract)
          .map(async (each) => ({
            operator: each.operator,
            isService: each.operator === place?.operator,
            living: await mandates.count(environment, each),
          })),
      )
      const living = operators.reduce((sum, each) => sum + each.living, 0)
      return { contract, standing, living, operators }
    }),
  )
}

const formerSubscription = async (
  { readModels, publicUrl }: ContractServices,
  { merchantId, row: { subscriptionId, contract, operator }, standing }: FormerMandate,
): Promise<FormerSubscription> => {
  const requested = (await readModels.subscriptions.withId(subscriptionId))?.row.authorization.requested
  const updateUrl = standing === 'asked' && requested ? `${publicUrl()}/pay/${requested.authorizationId}` : null
  return { subscriptionId, merchantId, contract, operator, standing, updateUrl }
}

const migrate = async (
  services: ContractServices,
  environment: Environment,
  request: MigrationRequest,
): Promise<E.Either<MigrationFailure, MigrationOutcome>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  await makeOwnKeys(services, network.right, environment)
  const place = await placeOfNew(services, environment, null)
  if (place === null) return E.left({ _tag: 'MandatesNotConfigured' })
  const unfit = await unfitContract(network.right.gateway, place.contract)
  if (E.isLeft(unfit)) return unfit
  if (unfit.right !== null) return E.left({ _tag: 'CannotCollect', environment, because: unfit.right })
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const { merchantId } = request
  const hasFormer = (await Array.fromAsync(formerMandates(services, environment))).some(
    (each) => merchantId === null || each.merchantId === merchantId,
  )
  if (!hasFormer) return E.left({ _tag: 'NothingToMigrate' })
  return decide(services, environment, request, (decision) => ({
    type: 'BeginMigration',
    contract: place.contract,
    ...decision,
  }))
}

type Decision = Pick<Migration, 'by' | 'reason' | 'at' | 'merchantId'>

const decide = async (
  services: ContractServices,
  environment: Environment,
  { merchantId, by, reason }: MigrationRequest,
  commandOf: (decision: Decision) => MigrationCommand,
): Promise<E.Either<MigrationFailure, MigrationOutcome>> => {
  if (merchantId !== null) {
    const merchant = await stateOf(services.store)(Merchant, merchantId)
    if (E.isLeft(merchant)) return merchant
    if (merchant.right.state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
  }
  const of = merchantId === null ? {} : { merchantId: asText(merchantId) }
  const at = services.clock.now(environment)
  const commandId = services.freshId()
  const named = { commandId, correlationId: commandId, causationId: null }
  const context = { merchantId: platform, environment, ...named, actor: 'operator', at }
  const command = Migrations.decider.decide(commandOf({ by, reason, at, ...of }))
  const decided = await execute(services.store)(Migrations, environment, context, command)
  if (E.isLeft(decided)) return decided
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const { state, events } = decided.right
  const isNew = events.at(-1)?.metadata.commandId === commandId
  const present = openMigrationOf(state, of.merchantId) ?? state.findLast((each) => each.merchantId === of.merchantId)
  const migration = present === undefined ? null : await progressOf(services, environment, present)
  return E.right({ isNew, migration })
}

const migrationsIn = async (
  services: ContractServices,
  environment: Environment,
): Promise<E.Either<ExecuteFailure, ReadonlyArray<MigrationProgress>>> => {
  const found = await stateOf(services.store)(Migrations, environment)
  if (E.isLeft(found)) return found
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  return E.right(
    (await Promise.all(found.right.state.map((each) => progressOf(services, environment, each)))).toReversed(),
  )
}

const progressOf = async (
  services: ContractServices,
  environment: Environment,
  migration: Migration,
): Promise<MigrationProgress> => {
  const { end, at, merchantId } = migration
  const of = merchantId === undefined ? {} : { merchantId }
  if (end?._tag === 'completed') return { ...migration, left: null, ends: { signed: end.signed, ended: end.ended } }
  const ends = await endsSince(services, environment, { at, ...of })
  if (end !== null) return { ...migration, left: null, ends }
  const left = { not_asked: 0, asked: 0, leaving: 0, ending: 0 }
  for await (const each of formerMandates(services, environment))
    if (merchantId === undefined || each.merchantId === merchantId) left[each.standing] += 1
  return { ...migration, left, ends }
}
