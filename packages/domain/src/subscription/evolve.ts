import type { AssetId } from '../shared/asset.ts'
import { CorruptStream } from '../shared/decider.ts'
import { count, type UnixMs } from '../shared/units.ts'
import type { SubscriptionEvent } from './events.ts'
import { allowanceSeen, mandateEnded, mandateReplaced, offeredIn, retire, withMissing } from './evolve-authorization.ts'
import { failed, over, paid, quiet, withAttempt, withInvoicePayment } from './evolve-collection.ts'
import type {
  Attempt,
  Lifecycle,
  Machines,
  PriceChangeSeen,
  SubscriptionRecord,
  SubscriptionState,
  SubscriptionStatus,
} from './state.ts'

type Of<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { readonly type: Type }>['data']

export const initial: SubscriptionState = { status: 'absent' }

/** The one word that the interface has for three machines: what has ended or stands still says so first. */
const statusOf = ({ lifecycle, collection, covered }: Machines): SubscriptionStatus => {
  if (lifecycle._tag !== 'running') return lifecycle._tag
  switch (collection._tag) {
    case 'dunning':
      return 'past_due'
    case 'invoiced':
      return 'overdue'
    case 'current':
      return covered.kind === 'trial' ? 'trialing' : 'active'
  }
}

const started = ({ details, period, anchor }: Of<'SubscriptionStarted'>): Machines => ({
  details,
  lifecycle: { _tag: 'running' },
  collection: { _tag: 'current' },
  covered:
    details.trialDays > 0
      ? { kind: 'trial', n: count(0), period, paidAt: null }
      : { kind: 'paid', n: count(0), period, paidAt: details.startedAt },
  cancellation: null,
  terms: details.terms,
  pendingSwap: null,
  anchor,
  nextN: count(1),
  attempts: [],
  failedPaymentCount: count(0),
  retryAt: null,
  retryOffsetMs: count(0),
  retryRequestedAt: null,
  trouble: null,
  alarmedAt: null,
  accessEndedAt: null,
  stoppedUntil: null,
  countedFrom: null,
  announced: null,
  authorization: { mandate: details.mandate, ended: null, missing: null, requested: null, expiryAnnouncedAt: null },
  endedMandates: [],
  retired: [],
  unappliedPayments: [],
  invoices: [],
  metadata: details.metadata,
})

const paused = (state: Machines, { at, unsettled }: Of<'Paused'>): Lifecycle => {
  const { covered, collection } = state
  const isInTrial = covered.kind === 'trial' && collection._tag === 'current' && at < covered.period.end
  const trialRestMs = isInTrial ? count(covered.period.end - at) : null
  const since = { _tag: 'paused' as const, at, trialRestMs, resuming: null }
  return unsettled === undefined ? since : { ...since, unsettled }
}

const resumed = (state: Machines, { trial }: Of<'Resumed'>): Machines => {
  const running = { ...state, ...quiet, lifecycle: { _tag: 'running' }, collection: { _tag: 'current' } } as const
  if (trial === null) return running
  const { period, anchor } = trial
  const { covered, cancellation } = state
  return {
    ...running,
    covered: { ...covered, period },
    anchor,
    announced: null,
    cancellation: cancellation === null ? null : { ...cancellation, endsAt: period.end },
  }
}

const resuming = (state: Machines, since: Extract<Lifecycle, { readonly _tag: 'paused' }>['resuming']): Machines => {
  if (state.lifecycle._tag !== 'paused') throw new CorruptStream('a resumption', state.lifecycle._tag)
  return { ...state, ...quiet, lifecycle: { ...state.lifecycle, resuming: since } }
}

/** The swap waits no more, and the mandate that it alone needed is not asked for any more. */
const withoutSwap = (state: Machines): Machines => {
  const { authorization, pendingSwap } = state
  const isItsOwn = authorization.requested?.authorizationId === pendingSwap?.authorizationId
  return {
    ...state,
    pendingSwap: null,
    authorization: { ...authorization, requested: isItsOwn ? null : authorization.requested },
  }
}

/** Charges are made in another asset from now on. */
const inAsset = (state: Machines, assetId: AssetId): Machines => {
  const { details, attempts } = state
  return {
    ...state,
    details: { ...details, assetId },
    attempts: attempts.map((attempt) => ({ assetId: details.assetId, ...attempt })),
  }
}

const priceChangeIs = (state: Machines, change: Partial<PriceChangeSeen>): Machines => {
  if (state.priceChange === undefined) throw new CorruptStream('a price change', 'none announced')
  return { ...state, priceChange: { ...state.priceChange, ...change } }
}

/** The mandate that only the new price needed is not asked for any more. One that was signed within minutes still counts. */
const withoutConsentRequest = (state: Machines, at: UnixMs): Machines => {
  const { authorization } = state
  const { requested } = authorization
  if (requested?.why !== 'price_change') return state
  const { authorizationId } = requested
  return { ...state, authorization: { ...authorization, requested: null, withdrawn: { authorizationId, at } } }
}

const evolveMachines = (
  state: Machines,
  { type, data }: Exclude<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>,
): Machines => {
  const { authorization, collection } = state
  switch (type) {
    case 'TrialEndAnnounced':
      return { ...withMissing(state, 'foreseen', data.problem, data.at), announced: state.nextN }
    case 'RenewalAnnounced':
      return { ...withMissing(state, 'foreseen', data.problem, data.at), announced: data.n }
    case 'PeriodsForgiven':
      return { ...state, nextN: count(data.to + 1) }
    case 'ChargeAttempted': {
      const { mandate } = authorization
      const madeBy = { mandate, productId: state.terms.productId }
      const attempt: Attempt = { ...data, ...madeBy, status: 'under_way', isHandedOver: false, includedAt: null }
      return {
        ...state,
        attempts: [...state.attempts, attempt],
        retryAt: null,
        retryRequestedAt: null,
      }
    }
    case 'ChargeHandedOver':
      return { ...state, attempts: withAttempt(state, data.paymentId, { isHandedOver: true }) }
    case 'ChargeConfirmed': {
      const attempts = withAttempt(state, data.paymentId, { status: 'confirmed', includedAt: data.closedAt })
      return paid({ ...state, attempts }, data)
    }
    case 'ChargeFailed':
      return failed(state, data)
    case 'ChargeDelayed': {
      const { since, tries } = state.trouble ?? { since: data.at, tries: count(0) }
      const trouble = data.cause === 'cause_stands' ? null : { since, tries: count(tries + 1) }
      const { retryAt, retryOffsetMs = count(0) } = data
      return { ...state, retryAt, retryOffsetMs, retryRequestedAt: null, trouble }
    }
    case 'PaymentSetAside': {
      const attempts = withAttempt(state, data.paymentId, { status: 'set_aside', includedAt: data.closedAt })
      return { ...state, attempts, unappliedPayments: [...state.unappliedPayments, data.paymentId] }
    }
    case 'AttemptsStopped':
      return { ...state, stoppedUntil: data.until, retryRequestedAt: null }
    case 'AttemptsAllowed':
      return { ...state, stoppedUntil: null, countedFrom: data.at }
    case 'OperatorAlarmed':
      return { ...state, alarmedAt: data.at }
    case 'RetryRequested':
      return { ...state, retryRequestedAt: data.at }
    case 'FinalNoticeGiven':
      if (collection._tag !== 'dunning') throw new CorruptStream(type, collection._tag)
      return { ...state, collection: { ...collection, isFinalNoticeGiven: true } }
    case 'AccessEnded':
      return { ...state, accessEndedAt: data.at }
    case 'BecameOverdue': {
      const { invoice, at } = data
      const graceUntil = collection._tag === 'dunning' ? collection.graceUntil : null
      const invoices = [...state.invoices, { invoice, payments: [] }]
      const invoiced = { _tag: 'invoiced' as const, invoice, at, graceUntil }
      // What no attempt could settle is still tried: the mandate stands.
      if (data.unsettled !== undefined) {
        return { ...state, invoices, collection: { ...invoiced, unsettled: data.unsettled } }
      }
      return { ...state, ...quiet, invoices, collection: invoiced }
    }
    case 'InvoiceSettled':
      return paid({ ...state, invoices: withInvoicePayment(state, data.invoiceId, data.paymentId) }, data)
    case 'Paused':
      return { ...state, ...quiet, lifecycle: paused(state, data) }
    case 'ResumeRequested':
      return resuming(state, data.at)
    case 'Resumed':
      return resumed(state, data)
    case 'ResumeFailed':
      return resuming(withMissing(state, 'charge_failed', data.cause, data.at), null)
    case 'CancellationScheduled':
      return { ...state, cancellation: { reason: data.reason, endsAt: data.endsAt } }
    case 'CancellationUndone':
      return { ...state, cancellation: null }
    case 'SubscriptionCanceled': {
      const lifecycle = { _tag: 'canceled', at: data.canceledAt, reason: data.reason } as const
      return { ...state, ...over, lifecycle, pendingSwap: null, retired: retire(state, data.canceledAt) }
    }
    case 'MandateCancellationSent': {
      const retired = state.retired.map((each) =>
        each.mandateId === data.mandateId ? { ...each, sent: data.number, sentAt: data.at } : each,
      )
      return { ...state, retired }
    }
    case 'MandateEnded':
      return mandateEnded(state, data.mandateId, { by: data.by, at: data.closedAt })
    case 'MandateGone':
      return mandateEnded(state, data.mandateId, { by: 'operator', at: data.at })
    case 'AuthorizationRevoked':
      return mandateEnded(state, data.mandateId, { by: 'customer', at: data.closedAt })
    case 'AuthorizationRequested': {
      const { authorizationId, kind, why } = data
      return { ...state, authorization: { ...authorization, requested: { authorizationId, kind, why } } }
    }
    case 'AuthorizationOffered': {
      const { authorizationId, contract } = data
      const contracts = [...offeredIn(authorization, authorizationId), contract]
      return { ...state, authorization: { ...authorization, offered: { authorizationId, contracts } } }
    }
    case 'AuthorizationWithdrawn':
      return { ...state, authorization: { ...authorization, requested: null, withdrawn: data } }
    case 'MandateReplaced': {
      const replaced = mandateReplaced(state, data)
      return data.assetId === undefined ? replaced : inAsset(replaced, data.assetId)
    }
    case 'AllowanceSeen':
      return { ...state, authorization: allowanceSeen(authorization, data.approval) }
    case 'ExpiryAnnounced':
      return { ...state, authorization: { ...authorization, expiryAnnouncedAt: data.at } }
    case 'ProductSwapped':
      return { ...withoutSwap(state), terms: data.terms, anchor: data.anchor }
    case 'SwapPending':
      return { ...state, pendingSwap: { terms: data.terms, authorizationId: data.authorizationId } }
    case 'SwapDropped':
      return withoutSwap(state)
    case 'PriceChangeAnnounced':
      return { ...state, priceChange: { ...data.notice, noticedAt: data.at, acceptedAt: null, ended: null } }
    case 'PriceChangeAccepted':
      return priceChangeIs(state, { acceptedAt: data.at })
    case 'PriceChanged':
      return { ...withoutConsentRequest(priceChangeIs(state, { ended: 'changed' }), data.at), terms: data.terms }
    case 'PriceChangeRefused':
      return withoutConsentRequest(priceChangeIs(state, { ended: 'refused' }), data.at)
    case 'PriceChangeDropped':
      return withoutConsentRequest(priceChangeIs(state, { ended: 'dropped' }), data.at)
    case 'MetadataChanged':
      return { ...state, metadata: data.metadata }
  }
}

const withStatus = (machines: Machines): SubscriptionRecord => ({ ...machines, status: statusOf(machines) })

/** What an event makes of a subscription that exists. */
export const evolveExisting = (
  state: SubscriptionRecord,
  event: Exclude<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>,
): SubscriptionRecord => withStatus(evolveMachines(state, event))

export const evolve = (state: SubscriptionState, event: SubscriptionEvent): SubscriptionState => {
  if (event.type === 'SubscriptionStarted') {
    if (state.status !== 'absent') throw new CorruptStream(event.type, state.status)
    return withStatus(started(event.data))
  }
  if (state.status === 'absent') throw new CorruptStream(event.type, state.status)
  return evolveExisting(state, event)
}
