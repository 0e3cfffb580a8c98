import { defaultPolicy } from '../merchant/index.ts'
import { asText } from '../shared/text.ts'
import { DelayCause } from '../subscription/causes.ts'
import type { SubscriptionCommand, SubscriptionEvent, SubscriptionRecord } from '../subscription/index.ts'
import { chargeAt } from '../subscription/next-charge.ts'
import { type ChargeFailed, jitterBehind, policiesBehind } from './charge-failures.ts'
import { least, unusedInvoice, unusedPayment } from './fillers.ts'

type Of<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { readonly type: Type }>['data']
type Commands = ReadonlyArray<SubscriptionCommand>

/** By the charge that was due, or from the ledger after the log was restored. */
export const attempting = ({ mandateId, period, ...attempt }: Of<'ChargeAttempted'>): Commands => {
  const { n, k, paymentId, amount, at, platformFee } = attempt
  const known = { n, k, paymentId, amount, at, ...(platformFee === undefined ? {} : { platformFee }) }
  return [
    { type: 'AttemptCharge', ...attempt, periodStart: period.start },
    { type: 'RecoverAttempt', ...known, periodStart: period.start, mandateId },
  ]
}

/** Periods are forgiven together with what follows them. */
export const forgiving = (second: SubscriptionEvent | undefined): Commands => {
  if (second?.type === 'ChargeAttempted') return attempting(second.data)
  return second?.type === 'BecameOverdue' ? overdue(second.data) : []
}

export const overdue = ({ invoice, at, unsettled }: Of<'BecameOverdue'>): Commands => {
  const { invoiceId, n } = invoice
  return unsettled === undefined
    ? [{ type: 'BecomeOverdue', invoiceId, at }]
    : [
        {
          type: 'EndUnsettled',
          at,
          n,
          cause: unsettled,
          invoiceId,
          policy: { ...defaultPolicy, ratesAfter: 'invoice' },
        },
      ]
}

export const pausing = (state: SubscriptionRecord, { at, unsettled }: Of<'Paused'>): Commands => {
  if (unsettled === undefined) return [{ type: 'Pause', at }]
  const { n } = chargeAt(state, at)
  const policy = { ...defaultPolicy, ratesAfter: 'pause' as const }
  return [{ type: 'EndUnsettled', at, n, cause: unsettled, invoiceId: unusedInvoice(at), policy }]
}

export const failing = (state: SubscriptionRecord, data: ChargeFailed): Commands => {
  const { paymentId, cause, code, includedIn, failedAt: at, retryAt, retryOffsetMs } = data
  const jitter = retryAt === null ? 0 : jitterBehind(retryAt - at, retryOffsetMs ?? 0)
  if (jitter === null) return []
  const failed = { type: 'FailCharge' as const, paymentId, cause, code, includedIn, at, jitter }
  return policiesBehind(state, data).map((policy) => ({ ...failed, policy }))
}

export const delaying = ({ n, cause, at, retryAt, retryOffsetMs }: Of<'ChargeDelayed'>): Commands => {
  const jitter = jitterBehind(retryAt - at, retryOffsetMs ?? 0)
  return jitter === null ? [] : [{ type: 'DelayCharge', n, cause, at, jitter }]
}

/** A resumption may come to nothing because it was paused again, or because its charge could not be tried in time. */
export const failingToResume = (state: SubscriptionRecord, { cause, at }: Of<'ResumeFailed'>): Commands => {
  if (cause === 'paused_again') return [{ type: 'Pause', at }]
  return DelayCause.is(cause) ? [{ type: 'DelayCharge', n: chargeAt(state, at).n, cause, at, jitter: 0 }] : []
}

export const stopping = (state: SubscriptionRecord, { at }: Of<'AttemptsStopped'>): Commands => {
  const { n, k, period, why } = chargeAt(state, at)
  const { price } = state.terms
  const named = { n, k, periodStart: period.start, why, price }
  return [{ type: 'AttemptCharge', ...named, at, paymentId: unusedPayment(at), amount: least, rates: [] }]
}

/** In earlier versions nobody said who allowed it, and why. */
export const allowing = ({ at, by, reason }: Of<'AttemptsAllowed'>): Commands => [
  { type: 'AllowAttempts', at, by: by ?? asText('unknown'), reason: reason ?? asText('unknown') },
]

/** Money that counts for nothing came by a charge, or for an invoice. */
export const settingAside = (state: SubscriptionRecord, data: Of<'PaymentSetAside'>): Commands => {
  const { n, reason: _, ...payment } = data
  return [
    { type: 'ConfirmCharge', ...payment },
    ...state.invoices
      .filter(({ invoice }) => invoice.n === n)
      .map(({ invoice: { invoiceId } }) => ({ type: 'SettleInvoice' as const, invoiceId, ...payment })),
  ]
}

export const settling = (data: Of<'InvoiceSettled'>): SubscriptionCommand => {
  const { invoiceId, paymentId, amount, transactionHash, ledger, closedAt } = data
  return { type: 'SettleInvoice', invoiceId, paymentId, amount, transactionHash, ledger, closedAt }
}
