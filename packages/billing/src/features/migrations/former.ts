import { type ContractId, type Environment, needsMigration, type SubscriptionId } from '@quittance/domain'
import type { Found, MandatePlace, MandateRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { networkOf, type Services } from '../../services/services.ts'
import { operatorOfNew } from '../outgoing/signing-accounts.ts'

/** What migrations read. */
export type FormerServices = Pick<Services, 'readModels' | 'networks' | 'vault'>

/** The contract and the operator account of new mandates of a merchant, or of those without one of their own; null if none can be made. */
export const placeOfNew = async (
  services: FormerServices,
  environment: Environment,
  merchantId: string | null,
): Promise<MandatePlace | null> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network) || network.right.mandateContract === null) return null
  const own =
    merchantId === null ? null : (await services.readModels.merchants.withId(merchantId))?.row.operators?.[environment]
  const operator = await operatorOfNew(services, environment, own ?? null)
  return operator === null ? null : { contract: network.right.mandateContract, operator }
}

/** Whether a mandate names another contract or operator account than new ones of its merchant do. */
const formerIn = (services: FormerServices, environment: Environment) => {
  const places = new Map<string, MandatePlace | null>()
  return async ({ merchantId, row }: Found<MandateRow>): Promise<boolean> => {
    const known = places.get(merchantId)
    const place = known === undefined ? await placeOfNew(services, environment, merchantId) : known
    places.set(merchantId, place)
    return place !== null && (row.contract !== place.contract || row.operator !== place.operator)
  }
}

/** A mandate contract by what becomes of it: new mandates go there, living ones are left there, or it may be forgotten. */
export type ContractStanding = {
  readonly contract: ContractId
  readonly standing: 'configured' | 'in_use' | 'forgettable'
}

/** Every contract that mandates of the log have named or new ones name, the configured one first. */
export const contractStandings = async (
  { readModels, networks }: Pick<Services, 'readModels' | 'networks'>,
  environment: Environment,
): Promise<ReadonlyArray<ContractStanding>> => {
  const configured = networks[environment]?.mandateContract ?? null
  const named = (await readModels.mandateContracts.all()).flatMap((each) =>
    each.environment === environment ? [each.row.contract] : [],
  )
  const inUse = new Set((await readModels.mandates.places(environment)).map(({ contract }) => contract))
  return [...new Set([...(configured === null ? [] : [configured]), ...named])].map((contract) => {
    if (contract === configured) return { contract, standing: 'configured' }
    return { contract, standing: inUse.has(contract) ? 'in_use' : 'forgettable' }
  })
}

/**
 * A living mandate that is not where new ones are. `standing`: its subscription waits to be asked for another, is asked, or
 * ends without; or the customer has signed another, and this one is being ended on the ledger.
 */
export type FormerMandate = Found<MandateRow> & { readonly standing: 'not_asked' | 'asked' | 'leaving' | 'ending' }

export async function* formerMandates(
  services: FormerServices,
  environment: Environment,
): AsyncGenerator<FormerMandate> {
  const { mandates } = services.readModels
  const place = await placeOfNew(services, environment, null)
  if (place === null) return
  const isFormer = formerIn(services, environment)
  for (const each of await mandates.places(environment)) {
    // Of the mandates where most new ones are, only those of merchants with an operator account of their own can be former.
    const isUsual = each.contract === place.contract && each.operator === place.operator
    for (const owner of isUsual ? await merchantsWithOwn(services, environment) : [null])
      for await (const found of mandates.living(environment, each, owner))
        if (await isFormer(found)) yield { ...found, standing: await standingOf(services, found) }
  }
}

const merchantsWithOwn = async (
  { readModels }: FormerServices,
  environment: Environment,
): Promise<ReadonlyArray<string>> =>
  (await readModels.merchants.all()).flatMap(({ id, row }) => (row.operators?.[environment] === undefined ? [] : [id]))

const standingOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  { id, row: { subscriptionId } }: Found<MandateRow>,
): Promise<FormerMandate['standing']> => {
  const subscription = (await readModels.subscriptions.withId(subscriptionId))?.row
  if (subscription === undefined) return 'leaving'
  const { authorization, lifecycle } = subscription
  if (authorization.mandate.mandateId !== id || lifecycle._tag === 'canceled') return 'ending'
  if (authorization.requested?.kind === 'mandate') return 'asked'
  return needsMigration(subscription) ? 'not_asked' : 'leaving'
}

/** How mandates that have ended since a moment gave way: to others that customers have signed, or with their subscriptions. */
export type Ends = { readonly signed: number; readonly ended: number }

export const endsSince = async (
  services: FormerServices,
  environment: Environment,
  { at, merchantId }: { readonly at: Found<MandateRow>['row']['since']; readonly merchantId?: string },
): Promise<Ends> => {
  const { mandates, subscriptions } = services.readModels
  const isFormer = formerIn(services, environment)
  const ends = { signed: new Set<SubscriptionId>(), ended: new Set<SubscriptionId>() }
  for await (const found of mandates.endedSince(environment, at)) {
    const { id, merchantId: owner, row } = found
    if (!(await isFormer(found)) || (merchantId !== undefined && owner !== merchantId)) continue
    const present = (await subscriptions.withId(row.subscriptionId))?.row.authorization.mandate.mandateId
    ends[present === id ? 'ended' : 'signed'].add(row.subscriptionId)
  }
  return { signed: ends.signed.size, ended: ends.ended.size }
}
