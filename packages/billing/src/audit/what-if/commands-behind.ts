import {
  AuthorizationId,
  asText,
  InvoiceId,
  metadataValues,
  positiveCount,
  type SubscriptionCommand,
  type SubscriptionRecord,
} from '@quittance/domain'
import type { Circumstances } from './acts.ts'
import { attemptTooMany, chargeFailure, delay, delayAtResuming } from './charge-ends-behind.ts'
import { aboveCap, applications, cancellations, withinCap } from './decisions-behind.ts'
import { dataOf, type LaterEvent } from './find-event.ts'
import { simulatedId } from './simulated-id.ts'

type Commands = ReadonlyArray<SubscriptionCommand>

/** What is recorded together with, and before, what a command is about. */
const companions: ReadonlyArray<LaterEvent['type']> = [
  'PriceChangeDropped',
  'PeriodsForgiven',
  'AuthorizationRequested',
]

const headOf = (events: ReadonlyArray<LaterEvent>): LaterEvent | undefined =>
  events.find(({ type }) => !companions.includes(type)) ?? events[0]

/**
 * The commands that may have recorded these events in that state: those that only differ in what no event tells stand one
 * after the other, the likeliest first. What no event tells, such as an unused id, is made up.
 */
export const commandsBehind = (
  state: SubscriptionRecord,
  events: ReadonlyArray<LaterEvent>,
  { at, policy }: Circumstances,
): Commands => {
  const head = headOf(events)
  if (head === undefined) return []
  const { mandate } = state.authorization
  const asked = dataOf(events, 'AuthorizationRequested')
  const { authorizationId = simulatedId(AuthorizationId, at, 1), reference } = asked ?? {}
  const names = { authorizationId, ...(reference === undefined ? {} : { reference }) }
  const { type, data } = head
  switch (type) {
    case 'TrialEndAnnounced':
      return [{ type: 'AnnounceTrialEnd', at: data.at, problem: data.problem, ...names }]
    case 'RenewalAnnounced':
      return [{ type: 'AnnounceRenewal', at: data.at, n: data.n, problem: data.problem, ...names }]
    case 'ChargeAttempted': {
      const { mandateId, period, rates, price, why, ...attempt } = data
      const attempted = { ...attempt, periodStart: period.start }
      if (dataOf(events, 'ChargeHandedOver') !== undefined) {
        return [{ type: 'RecoverAttempt', ...attempted, mandateId }]
      }
      return [{ type: 'AttemptCharge', ...attempted, rates, price, why }]
    }
    case 'AttemptsStopped':
      return attemptTooMany(state, data.at, policy)
    case 'ChargeHandedOver':
      return [{ type: 'HandOverCharge', ...data }]
    case 'ChargeConfirmed': {
      const { paymentId, transactionHash, ledger, closedAt } = data
      return [{ type: 'ConfirmCharge', paymentId, transactionHash, ledger, closedAt }]
    }
    case 'PaymentSetAside': {
      const { n, reason: _, ...payment } = data
      const owed = state.invoices.filter(({ invoice }) => invoice.n === n)
      return [
        { type: 'ConfirmCharge', ...payment },
        ...owed.map(({ invoice }) => ({ type: 'SettleInvoice' as const, invoiceId: invoice.invoiceId, ...payment })),
      ]
    }
    case 'ChargeFailed':
      return [chargeFailure(data, policy)]
    case 'ChargeDelayed':
      return [delay(data)]
    case 'ResumeFailed':
      return data.cause === 'paused_again' ? [{ type: 'Pause', at: data.at }] : delayAtResuming(state, data)
    case 'AttemptsAllowed': {
      const { at, by = asText(''), reason = asText('') } = data
      return [{ type: 'AllowAttempts', at, by, reason }]
    }
    case 'OperatorAlarmed':
      return [{ type: 'AlarmOperator', cause: data.cause, at: data.at }]
    case 'RetryRequested':
      return [{ type: 'RequestRetry', ...data }]
    case 'FinalNoticeGiven':
      return [{ type: 'GiveFinalNotice', at: data.at }]
    case 'AccessEnded':
      return [{ type: 'EndAccess', at: data.at }]
    case 'BecameOverdue': {
      const { invoice, at, unsettled } = data
      const { invoiceId, n } = invoice
      if (unsettled === undefined) return [{ type: 'BecomeOverdue', invoiceId, at }]
      return [{ type: 'EndUnsettled', at, n, cause: unsettled, invoiceId, policy }]
    }
    case 'InvoiceSettled': {
      const { invoiceId, paymentId, amount, transactionHash, ledger, closedAt } = data
      return [{ type: 'SettleInvoice', invoiceId, paymentId, amount, transactionHash, ledger, closedAt }]
    }
    case 'Paused': {
      const { at, unsettled, lost } = data
      if (unsettled === undefined) return [{ type: 'Pause', at }]
      const n = positiveCount(state.nextN + (lost?.periods ?? 1) - 1)
      const invoiceId = simulatedId(InvoiceId, at, 1)
      return [{ type: 'EndUnsettled', at, n, cause: unsettled, invoiceId, policy }]
    }
    case 'ResumeRequested':
    case 'Resumed':
      return [{ type: 'Resume', at: data.at }]
    case 'CancellationScheduled':
      return [{ type: 'Cancel', when: 'period_end', at: data.at }]
    case 'CancellationUndone':
      return [{ type: 'UndoCancellation', at: data.at }]
    case 'SubscriptionCanceled':
      return cancellations(data, { at, policy })
    case 'MandateGone':
      return [{ type: 'EndWithNetwork', at: data.at }]
    case 'MandateEnded':
      return [{ type: 'RecordMandateEnd', ...data }]
    case 'AuthorizationRevoked':
      return [{ type: 'RecordMandateEnd', by: 'customer', ...data }]
    case 'MandateCancellationSent':
      return [{ type: 'RecordMandateCancellation', mandateId: data.mandateId, at: data.at }]
    case 'AuthorizationRequested':
      if (data.why === 'wallet_change') return [{ type: 'ChangeWallet', ...names, at: data.at }]
      return data.why === 'migration'
        ? [{ type: 'RequestMigration', ...names, mandateId: mandate.mandateId, at: data.at }]
        : [{ type: 'RequestAuthorization', ...names, at: data.at }]
    case 'AuthorizationOffered':
      return [{ type: 'OfferAuthorization', ...data }]
    case 'AuthorizationWithdrawn':
      return [{ type: 'WithdrawMigration', at: data.at }]
    case 'MandateReplaced': {
      const accepts = dataOf(events, 'PriceChangeAccepted')?.priceChangeId
      return [{ type: 'ReplaceMandate', ...data, ...(accepts === undefined ? {} : { accepts }) }]
    }
    case 'AllowanceSeen':
      return [{ type: 'RecordAllowance', ...data }]
    case 'ExpiryAnnounced':
      return [{ type: 'AnnounceExpiry', at: data.at }]
    case 'ProductSwapped':
    case 'SwapPending':
    case 'SwapDropped': {
      const terms = type === 'SwapDropped' ? state.terms : data.terms
      const swap = { type: 'SwapProduct', terms, assetId: state.details.assetId, ...names, at: data.at } as const
      return [withinCap, aboveCap(mandate)].map((quote) => ({ ...swap, quote }))
    }
    case 'PriceChangeAnnounced': {
      const { needsConsent, ...notice } = data.notice
      const quote = needsConsent ? aboveCap(mandate) : withinCap
      const { productId, interval } = state.terms
      return [{ type: 'AnnouncePriceChange', productId, interval, quote, at: data.at, ...notice, ...names }]
    }
    case 'PriceChanged':
    case 'PriceChangeRefused':
      return applications(data.priceChangeId, data.at, mandate)
    case 'PriceChangeDropped':
      return [{ type: 'DropPriceChange', priceChangeId: data.priceChangeId, at: data.at }]
    case 'MetadataChanged': {
      const removed = Object.keys(metadataValues(state.metadata)).map((key) => [key, null])
      return [
        { type: 'ChangeMetadata', metadata: { ...Object.fromEntries(removed), ...metadataValues(data.metadata) } },
      ]
    }
    case 'PeriodsForgiven':
    case 'PriceChangeAccepted':
      return []
  }
}
