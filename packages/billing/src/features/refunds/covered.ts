import { type AccountId, type AssetId, type Environment, hourMs, type IntentId, issuerOf } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { isInMerchantsCustody } from '../../services/custody.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { OutgoingMoney } from '../outgoing/check-destination.ts'
import { feeCapOf } from '../outgoing/fees.ts'
import type { IsFrozen } from '../outgoing/frozen.ts'
import { type HeldBalance, heldForOthers } from '../outgoing/held-for-others.ts'
import { merchantsWaiting, waitingOf } from '../outgoing/merchants-in-turn.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'

/** How long a refund waits while all that the account holds belongs to others. */
export const longestRefundWaitMs = 24 * hourMs

/** The settlement account does not hold so much beside its reserve, or beside what belongs to others. */
export type InsufficientFunds = { readonly _tag: 'InsufficientFunds' }

/** The settlement account does not exist, or can hold none of the asset: it lacks the trustline, or the issuer's consent. */
export type SettlementAccountUnfit = { readonly _tag: 'SettlementAccountUnfit'; readonly assetId: AssetId }

type FundsServices = Pick<Services, 'readModels' | 'awaitingRate' | 'caughtUp' | 'settlementOf' | 'networks'>
type FundsFailure = LedgerUnreachable | NetworkNotConfigured | MerchantNotReady | StoreUnavailable

/**
 * Asks the ledger, before a refund is accepted, whether the settlement account can pay this asset, and so much of it beside
 * what belongs to others. From an account of their own, merchants pay what they sign.
 */
export const checkFunds = async (
  services: FundsServices,
  scope: Scope,
  { assetId, amount }: Pick<OutgoingMoney, 'assetId' | 'amount'>,
): Promise<E.Either<FundsFailure | SettlementAccountUnfit | InsufficientFunds, void>> => {
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const { account, custody } = settlement.right
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const held = await heldForOthers(services, scope)
  const view = await network.right.gateway.accountView(account, [assetId])()
  if (E.isLeft(view)) return view
  if (view.right === null || !canPay(view.right, assetId)) return E.left({ _tag: 'SettlementAccountUnfit', assetId })
  if (custody === 'merchant' || held(assetId) === 0n) return E.right(undefined)
  return besideOthers(view.right, held, assetId) >= amount ? E.right(undefined) : E.left({ _tag: 'InsufficientFunds' })
}

const canPay = ({ account, trustlines }: AccountView, assetId: AssetId): boolean =>
  assetId === 'native' ||
  issuerOf(assetId) === account ||
  trustlines.some((each) => each.assetId === assetId && each.isAuthorized)

/**
 * A refund that cannot be sent now; `isObserved`: the ledger shows why, a node was not silent or behind, and what is under way
 * does not matter. `since`: when it could have been sent.
 */
export type ShortRefund = {
  readonly intent: Found<IntentRow>
  readonly isObserved: boolean
  readonly since: number
}

/**
 * The waiting refunds that would take what belongs to others. The oldest come first, and each takes what the next cannot
 * have. Asks the ledger only about merchants that have something of others.
 */
export const shortRefunds = async (
  outgoing: Outgoing,
  environment: Environment,
  isFrozen: IsFrozen,
): Promise<ReadonlyArray<ShortRefund>> => {
  const short: Array<ShortRefund> = []
  for (const merchantId of await merchantsWaiting(outgoing, environment))
    short.push(...(await shortOf(outgoing, { merchantId, environment }, isFrozen)))
  return short
}

const shortOf = async (outgoing: Outgoing, scope: Scope, isFrozen: IsFrozen): Promise<ReadonlyArray<ShortRefund>> => {
  const { readModels } = outgoing.services
  const held = await heldForOthers(outgoing.services, scope)
  const short: Array<ShortRefund> = []
  const left = new Map<string, Left | null>()
  for await (const intent of waitingOf(outgoing.services, scope, isFrozen)) {
    const { class: of, action, source } = intent.row.details
    if (of !== 'refund' || action._tag !== 'payment' || held(action.assetId) === 0n) continue
    if (await isInMerchantsCustody(readModels, scope.environment, source)) continue
    const name = `${source} ${action.assetId}`
    const known = left.get(name)
    const now =
      known === undefined
        ? O.toNullable(O.fromEither(await leftOf(outgoing, scope, held, source, action.assetId)))
        : known
    if (now !== null && now.amount >= action.amount) {
      left.set(name, { ...now, amount: now.amount - action.amount })
      continue
    }
    left.set(name, now)
    const { createdAt, details } = intent.row
    const since = (await readModels.refunds.withId(details.owner))?.row.details.sendsAt ?? createdAt
    short.push({ intent, isObserved: now !== null && now.amount + now.uncertain < action.amount, since })
  }
  return short
}

/** Whether refunds that are about to be released leave what belongs to others: another process may have been first. */
export const areRefundsCovered = async (
  outgoing: Outgoing,
  scope: Scope,
  ids: ReadonlyArray<IntentId>,
): Promise<boolean> => {
  const { readModels, caughtUp } = outgoing.services
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return false
  const held = await heldForOthers(outgoing.services, scope)
  const looked = new Set<string>()
  for (const id of ids) {
    const details = (await readModels.intents.withId(id))?.row.details
    if (details?.action._tag !== 'payment' || held(details.action.assetId) === 0n) continue
    const { source, action } = details
    const name = `${source} ${action.assetId}`
    if (looked.has(name)) continue
    looked.add(name)
    const left = await leftOf(outgoing, scope, held, source, action.assetId)
    if (E.isLeft(left) || left.right.amount < 0n) return false
  }
  return true
}

/**
 * What is left beside others' money, what came after the ingested ledgers, and the payments under way. Of these, so much is
 * `uncertain`: the ledger may hold payments already, which then count twice, and what came may be the merchant's.
 */
type Left = { readonly amount: bigint; readonly uncertain: bigint }

/**
 * A node behind the ingested ledgers is not believed. What is under way is read first: a payment that ends meanwhile counts
 * twice rather than never.
 */
const leftOf = async (
  { services, network, ingested }: Outgoing,
  scope: Scope,
  held: HeldBalance,
  source: AccountId,
  assetId: AssetId,
): Promise<E.Either<LedgerUnreachable, Left>> => {
  let [underWay, returning] = [0n, 0n]
  for await (const { row } of services.readModels.intents.ofStatus(scope, 'attached')) {
    const { class: of, action, source: payer } = row.details
    if (action._tag !== 'payment' || action.assetId !== assetId || payer !== source) continue
    // What returns will pay is held.
    if (of === 'return') returning += action.amount
    else underWay += action.amount
  }
  // Another worker may have ingested more than this step, by which what is held has changed.
  const newest = await services.cursors.of(scope.environment).load()()
  if (E.isLeft(newest)) return newest
  const known = Math.max(ingested.sequence, newest.right?.sequence ?? 0)
  const view = await network.gateway.accountView(source, [assetId])()
  if (E.isLeft(view)) return view
  const asOf = view.right?.asOf ?? known
  if (asOf < known) return E.left({ _tag: 'LedgerUnreachable', cause: `the node is at ledger ${asOf}, behind us` })
  const arrived = await services.justArrived(network.gateway, ingested.sequence, source, view.right)
  if (E.isLeft(arrived)) return arrived
  const came = arrived.right(assetId)
  const amount = besideOthers(view.right, held, assetId) - underWay - came
  return E.right({ amount, uncertain: underWay + returning + came })
}

/** What an account can pay beside what belongs to others, and beside the fee of its return. */
const besideOthers = (view: AccountView | null, held: HeldBalance, assetId: AssetId): bigint => {
  if (view === null) return 0n
  const ofOthers = held(assetId)
  if (assetId === 'native') return view.nativeSpendable - (ofOthers === 0n ? 0n : ofOthers + feeCapOf('return'))
  return (view.trustlines.find((each) => each.assetId === assetId)?.spendable ?? 0n) - ofOthers
}
