import type { AccountId, AssetId, Stroops } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady, Settlement } from '../../services/settlements.ts'
import { seenForMs, trustedForMs } from '../../stores/seen-accounts.ts'
import type { SettlementOwner, SettlementProblem } from '../../stores/settlement-problems.ts'
import { whyNotReceived } from './receiving.ts'
import { settlementStanding } from './standing.ts'

/** A payment to the merchant would fail on the ledger: nothing may be offered until the problem is solved. */
export type CannotBePaid = {
  readonly _tag: 'CannotBePaid'
  readonly owner: SettlementOwner
  readonly problem: SettlementProblem
}

/** The form of `CannotBePaid` for payers, without the merchant's id and the details of the problem. */
export type PayeeCannotBePaid = { readonly _tag: 'PayeeCannotBePaid' }

/** An amount that is to arrive at an account. `settlement` says what else the account accepts. */
type Arrival = {
  readonly settlement: Settlement
  readonly account: AccountId
  readonly assetId: AssetId
  readonly amount: Stroops
}

type Failure = CannotBePaid | LedgerUnreachable | NetworkNotConfigured

type ArrivalFailure = Failure | MerchantNotReady | StoreUnavailable

/** Hides from payers why a merchant cannot be paid. */
export const forPayers = (failure: ArrivalFailure): Exclude<ArrivalFailure, CannotBePaid> | PayeeCannotBePaid =>
  failure._tag === 'CannotBePaid' ? { _tag: 'PayeeCannotBePaid' } : failure

/**
 * Ensures that a payment to a merchant's account can succeed, as seen within `seenForMs`. A problem is never
 * remembered: the account is read again. If no node answers, a sighting within `trustedForMs` counts; otherwise fails
 * with `LedgerUnreachable`.
 */
export const ensurePayable = async (
  services: Pick<Services, 'seenAccounts' | 'networks'>,
  scope: Scope,
  arrival: Arrival,
): Promise<E.Either<Failure, void>> => {
  const key = { environment: scope.environment, account: arrival.account }
  if (isPaid(services.seenAccounts.recall(key, arrival.assetId, seenForMs), arrival)) return E.right(undefined)
  const now = await ensurePayableNow(services, scope, arrival)
  if (E.isRight(now) || now.left._tag !== 'LedgerUnreachable') return now
  return isPaid(services.seenAccounts.recall(key, arrival.assetId, trustedForMs), arrival) ? E.right(undefined) : now
}

/** As `ensurePayable`, from the ledger as it is now. */
export const ensurePayableNow = async (
  services: Pick<Services, 'seenAccounts' | 'networks'>,
  scope: Scope,
  arrival: Arrival,
): Promise<E.Either<Failure, void>> => {
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const { account, settlement, assetId } = arrival
  const key = { environment: scope.environment, account }
  const assets = [...new Set([assetId, ...settlement.accepted.map((each) => each.assetId)])]
  const read = await network.right.gateway.accountView(account, assets)()
  if (E.isLeft(read)) return read
  const view = read.right
  const problem = problemWith(view, arrival)
  if (view !== null && problem === null) {
    services.seenAccounts.keep(key, view, assets, assetId)
    return E.right(undefined)
  }
  const { merchantId, environment } = scope
  if (problem === null) return E.right(undefined)
  services.seenAccounts.refuse(key, assetId, merchantId, problem.code)
  const owner: SettlementOwner = { merchantId, environment, custody: settlement.custody }
  return E.left({ _tag: 'CannotBePaid', owner, problem })
}

const isPaid = (view: AccountView | null, arrival: Arrival): boolean =>
  view !== null && problemWith(view, arrival) === null

const problemWith = (
  view: AccountView | null,
  { account, assetId, amount, settlement: { accepted, defaultAsset, isSponsored } }: Arrival,
): SettlementProblem | null => {
  if (view === null) {
    const facts = { account, accepted, defaultAsset, isSponsored, pending: new Set<never>() }
    return settlementStanding(facts, null).problems[0] ?? null
  }
  const code = whyNotReceived(view, assetId, amount)
  return code === null ? null : { code, assetId }
}
