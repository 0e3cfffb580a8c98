import {
  AccountId,
  type Approval,
  type FiatPrice,
  LedgerSequence,
  maximumStroops,
  offeredIn,
  placeOfMandate,
  positiveCount,
  Stroops,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionDetails,
  type SubscriptionId,
  stroops,
  type UnixMs,
  waitingPriceChange,
} from '@quittance/domain'
import { type MandateFact, tokenContractOf } from '@quittance/ledger'
import type { Found, Scope, SubscriptionNameRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { contractForNew } from '../features/authorizations/contract-for-new.ts'
import { expectedClose } from '../features/mandates/numbers.ts'
import { operatorOfNew } from '../features/outgoing/signing-accounts.ts'
import { priceAt } from '../features/subscriptions/price.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { isIn, type StoreUnavailable } from '../kernel/load.ts'
import { stepUnless } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { requestNamed } from '../services/payable-named.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { networkOf, type Services } from '../services/services.ts'
import type { IngestServices } from './services.ts'

type Of<Tag extends MandateFact['_tag']> = Extract<MandateFact, { readonly _tag: Tag }>
type Outcome = Promise<E.Either<ProcessFailure, void>>

/** An approval in the ledger. Caps an amount that exceeds what any token can move. */
const approvalIn = (fact: Of<'AllowanceRenewed' | 'MandateCreated'>): Approval => {
  const { allowance, allowanceExpiryLedger, ledger, closedAt } = fact
  return {
    allowance: stroops(allowance < maximumStroops ? allowance : maximumStroops),
    allowanceExpiryLedger: decodeOrThrow(LedgerSequence, allowanceExpiryLedger),
    expiresAt: expectedClose(allowanceExpiryLedger, { sequence: ledger, closedAt }),
    approvedAt: closedAt,
  }
}

/**
 * Records the end of a mandate on its subscription. Only a cancellation for itself, by the customer, is the customer's wish
 * to end the subscription: one by a new mandate that does not count leaves it asking for another.
 */
export const receiveMandateEnd = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  fact: Of<'MandateCancelled'>,
): Outcome => {
  const named = await nameOf(services, scope, fact.mandate)
  if (E.isLeft(named) || named.right === null) return E.map(() => undefined)(named)
  const { mandate: mandateId, contract, transactionHash, ledger, closedAt } = fact
  const { subscriptionId } = named.right.row
  const subscription = (await services.readModels.subscriptions.withId(subscriptionId))?.row
  // Former versions of the contract gave the same id for the same parties and reference.
  if (subscription === undefined || placeOfMandate(subscription, mandateId).contract !== contract)
    return E.right(undefined)
  const by = fact.by === fact.customer && fact.replacedBy === undefined ? 'customer' : 'operator'
  const command = { type: 'RecordMandateEnd' as const, mandateId, by, transactionHash, ledger, closedAt } as const
  return tell(services, scope, subscriptionId, command, fact)
}

/**
 * Records a new approval, which replaces the former one for all mandates of this customer and token, on all their
 * subscriptions with this merchant. The customer's other merchants have the fact in their own shares.
 */
export const receiveApproval = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  fact: Of<'AllowanceRenewed' | 'MandateCreated'>,
): Outcome => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const { subscriptionNames } = services.readModels
  const token = fact._tag === 'MandateCreated' ? fact.record.token : await tokenOf(services, fact.mandate)
  for (const { merchantId, environment, row } of await subscriptionNames.withKey(fact.customer)) {
    const subscription = await services.readModels.subscriptions.withId(row.subscriptionId)
    const mandate = subscription?.row.authorization.mandate
    if (!isIn(scope, { merchantId, environment }) || mandate === undefined) continue
    if (mandate.token !== token || mandate.contract !== fact.contract || mandate.customer !== fact.customer) continue
    // When ledgers are ingested again, an older approval does not replace the current one.
    if (mandate.approval.approvedAt >= fact.closedAt) continue
    const command = { type: 'RecordAllowance', mandateId: mandate.mandateId, approval: approvalIn(fact) } as const
    const told = await tell(services, { merchantId, environment }, row.subscriptionId, command, fact)
    if (E.isLeft(told)) return told
  }
  return E.right(undefined)
}

/**
 * Records a mandate that a request for a new authorization asked for. It must pay the same account in the same asset,
 * name the same operator or that of new mandates, have no end and no first amount, and a cap that covers the price. Without any
 * price, it does not count. It accepts a price change that waits if it covers that too; one in another asset counts only then. No
 * charge exceeds its terms.
 */
export const receiveReplacement = async (
  services: IngestServices,
  scope: Scope,
  fact: Of<'MandateCreated'>,
): Outcome => {
  const { mandate: mandateId, contract, record, firstAmount, transactionHash, ledger, closedAt } = fact
  const { reference, customer, cap, intervalUnit: interval, intervalCount, firstChargeAt, endsAt } = record
  const named = await requestNamed(services, reference)
  if (E.isLeft(named)) return named
  if (named.right === null || !isIn(scope, named.right)) return E.right(undefined)
  const { id: authorizationId, row } = named.right
  const { subscriptionId } = row
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const subscription = (await services.readModels.subscriptions.withId(subscriptionId))?.row
  if (subscription === undefined || !AccountId.is(customer) || !Stroops.is(cap)) return E.right(undefined)
  const { mandate: current } = subscription.authorization
  const { payee } = current
  const operator = await operatorIn(services, scope, fact, current.operator)
  if (E.isLeft(operator)) return operator
  if (operator.right === null) return E.right(undefined)
  const { networkPassphrase } = network.right.gateway
  const waiting = subscription.pendingSwap === null ? waitingPriceChange(subscription) : null
  const tokenOfWaiting = waiting === null ? null : tokenContractOf(waiting.assetId, networkPassphrase)
  const moved = waiting !== null && record.token === tokenOfWaiting
  const assetId = moved ? waiting.assetId : subscription.details.assetId
  const token = moved ? tokenOfWaiting : current.token
  const isLikeIt = record.payee === payee && record.token === token
  const counted = [
    current.contract,
    contractForNew(services.networks[scope.environment], current.contract),
    ...offeredIn(subscription.authorization, authorizationId),
  ]
  if (!isLikeIt || !counted.includes(contract) || endsAt !== null || firstAmount !== 0n) return E.right(undefined)
  // Anyone who knows the request may answer it: a cap below the price would make the next charge fail for good.
  const wanted = (subscription.pendingSwap ?? subscription).terms
  const allows = async (price: FiatPrice): Promise<E.Either<StoreUnavailable, boolean>> => {
    const judged = await judgingPrice(services, scope, price, { assetId }, closedAt)
    if (E.isRight(judged)) return E.right(cap >= judged.right.amount)
    return judged.left._tag === 'StoreUnavailable' ? E.left(judged.left) : E.right(false)
  }
  const isEnough = await allows(wanted.price)
  if (E.isLeft(isEnough)) return isEnough
  const isAccepted = waiting?.assetId === assetId ? await allows(waiting.price) : E.right(false)
  if (E.isLeft(isAccepted)) return isAccepted
  if (!isEnough.right || (assetId !== subscription.details.assetId && !isAccepted.right)) return E.right(undefined)
  const mandate = {
    ...{ mandateId, contract, customer, payee, operator: operator.right, token, cap, interval, firstChargeAt },
    intervalCount: positiveCount(intervalCount),
    approval: approvalIn(fact),
  }
  const command = {
    type: 'ReplaceMandate',
    authorizationId,
    mandate,
    ...(assetId === subscription.details.assetId ? {} : { assetId }),
    ...(isAccepted.right && waiting !== null ? { accepts: waiting.priceChangeId } : {}),
    transactionHash,
    ledger,
    closedAt,
  } as const
  return tell(services, scope, subscriptionId, command, fact)
}

/** The operator account that a mandate names, if it is that of the present one or of new ones; else null. */
const operatorIn = async (
  services: IngestServices,
  { merchantId, environment }: Scope,
  { record }: Of<'MandateCreated'>,
  present: AccountId,
): Promise<E.Either<ProcessFailure, AccountId | null>> => {
  if (record.operator === present) return E.right(present)
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const network = services.networks[environment]
  const ofNew = network && (await operatorOfNew(services, environment, settlement.right.operator))
  return E.right(record.operator === ofNew ? ofNew : null)
}

/** The price when a ledger closed; where that is unknown by now, the current one. */
const judgingPrice = async (
  services: IngestServices,
  scope: Scope,
  price: FiatPrice,
  details: Pick<SubscriptionDetails, 'assetId'>,
  closedAt: UnixMs,
): ReturnType<typeof priceAt> => {
  const then = await priceAt(services, scope, price, details, closedAt)
  const isUnknown = E.isLeft(then) && then.left._tag === 'RateUnavailable'
  return isUnknown ? priceAt(services, scope, price, details, services.clock.now(scope.environment)) : then
}

/** The subscription of a mandate's id; null if it is none of this service. */
const nameOf = async (
  { caughtUp, readModels }: Pick<Services, 'readModels' | 'caughtUp'>,
  scope: Scope,
  name: string,
): Promise<E.Either<ProcessFailure, Found<SubscriptionNameRow> | null>> => {
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const found = await readModels.subscriptionNames.withId(name)
  return E.right(found !== null && isIn(scope, found) ? found : null)
}

const tokenOf = async ({ readModels }: Pick<Services, 'readModels'>, mandate: string): Promise<string | null> => {
  const name = await readModels.subscriptionNames.withId(mandate)
  const subscription = name === null ? null : await readModels.subscriptions.withId(name.row.subscriptionId)
  return subscription?.row.authorization.mandate.token ?? null
}

/** A subscription that has changed meanwhile may reject the ledger's facts. */
const movedOn = [
  'SubscriptionIsCanceled',
  'StatusForbids',
  'AuthorizationNotNeeded',
  'AuthorizationNotRequested',
  'MandateMismatch',
  'MandateUnknown',
  'AssetMismatch',
  'AttemptUnderWay',
] as const

const tell = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: SubscriptionId,
  command: SubscriptionCommand,
  { transactionHash, contract, mandate, closedAt }: Of<'MandateCancelled' | 'AllowanceRenewed' | 'MandateCreated'>,
): Outcome => {
  const cause = `${scope.environment}/${transactionHash}/${contract}/${mandate}`
  const context = stepContext(scope, cause, `${command.type} ${id}`, closedAt)
  const recorded = await stepUnless(store)(movedOn, Subscription, id, context, Subscription.decider.decide(command))
  return E.map(() => undefined)(recorded)
}
