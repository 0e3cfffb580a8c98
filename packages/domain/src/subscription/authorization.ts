import type { AccountId, ContractId } from '../shared/asset.ts'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import { dayMs, minuteMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { cancelAtEnd } from './canceling.ts'
import { type AuthorizationKind, type AuthorizationReason, cureOf } from './causes.ts'
import type {
  AnnounceExpiry,
  AnnounceRenewal,
  AnnounceTrialEnd,
  ChangeWallet,
  OfferAuthorization,
  RecordAllowance,
  RecordMandateCancellation,
  RecordMandateEnd,
  ReplaceMandate,
  RequestAuthorization,
  RequestMigration,
  RequestNames,
  WithdrawMigration,
} from './commands.ts'
import { andThen, attemptUnderWay, type Decision, forbidden, type LaterEvent, record, reject } from './decision.ts'
import { retryAuthorized } from './dunning.ts'
import { offeredIn } from './evolve-authorization.ts'
import { nextPeriodStart } from './next-charge.ts'
import { isConsentOpen } from './pending-price.ts'
import type { Authorization, RetiredMandate, SubscriptionRecord } from './state.ts'

/** An approval is announced to run out so long after it was given. */
const expiringMs = 150 * dayMs
/** A cancellation of a mandate that no ledger has shown is sent again so much later. It does nothing twice. */
const sendAgainMs = dayMs
/** A transaction that a wallet signed for a request that was then withdrawn reaches a ledger within this time. */
const lateAnswerMs = 15 * minuteMs

type Need = { readonly kind: AuthorizationKind; readonly why: AuthorizationReason; readonly since: UnixMs }

/** What would cure the hard cause of a failure, unless it is being tried whether it is cured. */
const hardNeed = (state: SubscriptionRecord): Need | null => {
  const { lifecycle, collection, retryRequestedAt, authorization } = state
  if (retryRequestedAt !== null || attemptUnderWay(state) !== null) return null
  if (lifecycle._tag === 'paused') return lifecycle.resuming === null ? authorization.missing : null
  if (collection._tag !== 'dunning' || collection.hardSince === null) return authorization.missing
  const kind = cureOf(collection.cause)
  return kind === null ? null : { kind, why: 'charge_failed', since: collection.hardSince }
}

/** What the customer has to be asked for, since when; null while nothing is needed or it is asked already. */
export const authorizationNeed = (state: SubscriptionRecord): Need | null => {
  const { lifecycle, authorization } = state
  const { ended, requested, expiryAnnouncedAt } = authorization
  if (lifecycle._tag === 'canceled' || requested?.kind === 'mandate') return null
  if (ended !== null) return { kind: 'mandate', why: 'revoked', since: ended.at }
  if (isConsentOpen(state)) return { kind: 'mandate', why: 'price_change', since: state.priceChange.noticedAt }
  const isExpiring = lifecycle._tag === 'running' && expiryAnnouncedAt !== null
  const expiring: Need | null = isExpiring ? { kind: 'allowance', why: 'expiring', since: expiryAnnouncedAt } : null
  const need = hardNeed(state) ?? expiring
  return requested?.kind === need?.kind ? null : need
}

export const requestedBy = (
  { authorizationId, reference, at }: RequestNames & { readonly at: UnixMs },
  kind: AuthorizationKind,
  why: AuthorizationReason,
): LaterEvent => ({
  type: 'AuthorizationRequested',
  data: { authorizationId, kind, why, at, ...(reference === undefined ? {} : { reference }) },
})

export const requestAuthorization = (command: RequestAuthorization, state: SubscriptionRecord): Decision => {
  const { authorizationId } = command
  if (state.authorization.requested?.authorizationId === authorizationId) return nothing
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  const need = authorizationNeed(state)
  if (need === null) return reject({ _tag: 'AuthorizationNotNeeded' })
  const { kind, why } = need
  return record(requestedBy(command, kind, why))
}

/** Another wallet can answer whatever is asked for; until one has signed, the present mandate stands. */
export const changeWallet = (command: ChangeWallet, state: SubscriptionRecord): Decision => {
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  return state.authorization.requested === null ? record(requestedBy(command, 'mandate', 'wallet_change')) : nothing
}

/** The mandate that a migration wants moved: the present one, unless a new one is asked for already or nothing goes on. */
export const needsMigration = ({ lifecycle, authorization, cancellation }: SubscriptionRecord): boolean =>
  lifecycle._tag !== 'canceled' &&
  cancellation === null &&
  authorization.ended === null &&
  authorization.requested?.kind !== 'mandate'

/** Until the new mandate is on the ledger, the present one is charged. */
export const requestMigration = (command: RequestMigration, state: SubscriptionRecord): Decision => {
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  const isPresent = state.authorization.mandate.mandateId === command.mandateId
  return isPresent && needsMigration(state) ? record(requestedBy(command, 'mandate', 'migration')) : nothing
}

/** The log names the contract before the customer can sign: a mandate is only looked for in contracts that it names. */
export const offerAuthorization = (
  { type: _, ...data }: OfferAuthorization,
  { status, authorization }: SubscriptionRecord,
): Decision => {
  const { authorizationId, contract } = data
  if (status === 'canceled' || authorization.requested?.authorizationId !== authorizationId)
    return reject({ _tag: 'AuthorizationNotRequested', authorizationId })
  const isNamed =
    contract === authorization.mandate.contract || offeredIn(authorization, authorizationId).includes(contract)
  return isNamed ? nothing : record({ type: 'AuthorizationOffered', data })
}

/** After the end nothing is withdrawn: a late mandate is still recorded, in order to be ended. */
export const withdrawMigration = ({ at }: WithdrawMigration, state: SubscriptionRecord): Decision => {
  const { requested } = state.authorization
  if (state.lifecycle._tag === 'canceled' || requested?.why !== 'migration') return nothing
  return record({ type: 'AuthorizationWithdrawn', data: { authorizationId: requested.authorizationId, at } })
}

/** A wallet may have signed before it could see that nothing is asked for any more. */
const isInTime = ({ withdrawn, requested }: Authorization, { authorizationId, closedAt }: ReplaceMandate): boolean =>
  requested === null && withdrawn?.authorizationId === authorizationId && closedAt <= withdrawn.at + lateAnswerMs

/** What would cure a hard cause that the next charge will meet, unless it is asked for already. */
export const requestAfterPreflight = (
  command: AnnounceTrialEnd | AnnounceRenewal,
  { authorization: { requested } }: SubscriptionRecord,
): ReadonlyArray<LaterEvent> => {
  const kind = command.problem === null ? null : cureOf(command.problem)
  if (kind === null || requested?.kind === 'mandate' || requested?.kind === kind) return []
  return [requestedBy(command, kind, 'foreseen')]
}

/** A swap that waited for this mandate takes place. Another interval is counted from the next period's beginning. */
const swapped = (state: SubscriptionRecord, command: ReplaceMandate): ReadonlyArray<LaterEvent> => {
  const { pendingSwap, nextN, anchor, terms } = state
  if (pendingSwap?.authorizationId !== command.authorizationId) return []
  const isSameCycle =
    pendingSwap.terms.interval === terms.interval && pendingSwap.terms.intervalCount === terms.intervalCount
  const next = { at: nextPeriodStart(state), n: nextN }
  const data = { terms: pendingSwap.terms, anchor: isSameCycle ? anchor : next, at: command.closedAt }
  return [{ type: 'ProductSwapped', data }]
}

/** The customer has signed for a price change that waits. */
const accepted = (
  { priceChange }: SubscriptionRecord,
  accepts: ReplaceMandate['accepts'],
  at: UnixMs,
): ReadonlyArray<LaterEvent> =>
  priceChange?.priceChangeId === accepts && priceChange?.ended === null && priceChange.acceptedAt === null
    ? [{ type: 'PriceChangeAccepted', data: { priceChangeId: priceChange.priceChangeId, at } }]
    : []

/**
 * The mandate that was asked for counts from now on; the one before it is to be ended on the ledger. One that comes after
 * the subscription was canceled is recorded, in order to be ended.
 */
export const replaceMandate = (command: ReplaceMandate, state: SubscriptionRecord): Decision => {
  const { type: _, accepts, ...data } = command
  const { authorizationId, mandate, closedAt } = data
  const { authorization, retired, endedMandates, pendingSwap, terms } = state
  const { mandateId } = mandate
  const isKnown =
    authorization.mandate.mandateId === mandateId ||
    endedMandates.includes(mandateId) ||
    retired.some((each) => each.mandateId === mandateId)
  if (isKnown) return nothing
  if (authorization.requested?.authorizationId !== authorizationId && !isInTime(authorization, command)) {
    return reject({ _tag: 'AuthorizationNotRequested', authorizationId })
  }
  const wanted = pendingSwap?.authorizationId === authorizationId ? pendingSwap.terms : terms
  const isForCycle = mandate.interval === wanted.interval && mandate.intervalCount === wanted.intervalCount
  if (!isForCycle || mandate.firstChargeAt > nextPeriodStart(state)) {
    return reject({ _tag: 'MandateMismatch', mandateId })
  }
  const events: ReadonlyArray<LaterEvent> = [
    { type: 'MandateReplaced', data },
    ...accepted(state, accepts, closedAt),
    ...swapped(state, command),
  ]
  return andThen(state, events, (replaced) => retryAuthorized(replaced, closedAt))
}

export const recordAllowance = ({ mandateId, approval }: RecordAllowance, state: SubscriptionRecord): Decision => {
  const { mandate } = state.authorization
  if (mandate.mandateId !== mandateId) return reject({ _tag: 'MandateUnknown', mandateId })
  if (isSame(mandate.approval, approval)) return nothing
  const seen: LaterEvent = { type: 'AllowanceSeen', data: { mandateId, approval } }
  if (approval.allowance < mandate.cap) return record(seen)
  return andThen(state, [seen], (allowed) => retryAuthorized(allowed, approval.approvedAt))
}

/** The customer's ending of the mandate that counts is never fought: it is a cancellation. */
export const recordMandateEnd = ({ type: _, ...end }: RecordMandateEnd, state: SubscriptionRecord): Decision => {
  const { mandateId, by, ...place } = end
  const { authorization, retired, endedMandates, lifecycle } = state
  if (endedMandates.includes(mandateId)) return nothing
  const isCurrent = authorization.mandate.mandateId === mandateId
  if (!isCurrent && !retired.some((each) => each.mandateId === mandateId)) {
    return reject({ _tag: 'MandateUnknown', mandateId })
  }
  if (!isCurrent || by === 'operator' || lifecycle._tag === 'canceled') {
    return record({ type: 'MandateEnded', data: end })
  }
  const revoked: LaterEvent = { type: 'AuthorizationRevoked', data: { mandateId, ...place } }
  return andThen(state, [revoked], (ended) => cancelAtEnd(ended, 'revoked', place.closedAt))
}

/** The contract and the operator account of a mandate that counts, or that is to be ended on the ledger. */
export const placeOfMandate = (
  { authorization: { mandate }, retired }: Pick<SubscriptionRecord, 'authorization' | 'retired'>,
  mandateId: MandateId,
): { readonly contract: ContractId; readonly operator: AccountId } => {
  const { contract = mandate.contract, operator = mandate.operator } =
    retired.find((each) => each.mandateId === mandateId) ?? {}
  return { contract, operator }
}

/** When a mandate's cancellation is next to be sent. */
export const sendingAt = ({ since, sentAt }: RetiredMandate): UnixMs =>
  sentAt === null ? since : unixMs(sentAt + sendAgainMs)

export const recordMandateCancellation = (command: RecordMandateCancellation, state: SubscriptionRecord): Decision => {
  const { mandateId, at } = command
  if (state.endedMandates.includes(mandateId)) return nothing
  const retired = state.retired.find((each) => each.mandateId === mandateId)
  if (retired === undefined) return reject({ _tag: 'MandateUnknown', mandateId })
  if (at < sendingAt(retired)) return nothing
  const number = positiveCount(retired.sent + 1)
  return record({ type: 'MandateCancellationSent', data: { mandateId, number, at } })
}

/** When the customer is told that the approval runs out; null where there is nothing to tell, or it was told. */
export const expiryNoticeAt = ({ lifecycle, authorization }: SubscriptionRecord): UnixMs | null => {
  const { mandate, ended, expiryAnnouncedAt } = authorization
  const isOfUse = lifecycle._tag === 'running' && ended === null && expiryAnnouncedAt === null
  return isOfUse ? unixMs(mandate.approval.approvedAt + expiringMs) : null
}

export const announceExpiry = ({ at }: AnnounceExpiry, state: SubscriptionRecord): Decision => {
  const { lifecycle, authorization } = state
  if (lifecycle._tag === 'canceled') return forbidden(state)
  if (authorization.expiryAnnouncedAt !== null) return nothing
  const dueAt = expiryNoticeAt(state)
  if (dueAt === null || at < dueAt) return reject({ _tag: 'NotDue', dueAt })
  return record({ type: 'ExpiryAnnounced', data: { expiresAt: authorization.mandate.approval.expiresAt, at } })
}
