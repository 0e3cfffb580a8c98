import { InvoiceSession, type RecordedEvent, Subscription, shownStatus } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { fold } from '../../kernel/fold.ts'
import { timestamp } from '../../resources/fields.ts'

/** What an overdue subscription has asked for. */
export type ExportedInvoice = {
  readonly id: string
  readonly subscription_id: string
  readonly status: ReturnType<typeof shownStatus>
  readonly period_start: string
  readonly period_end: string
  readonly due_at: string
  readonly payment_id: string | null
}

const decode = decodedBy(Subscription)

const overdueIn = (events: ReadonlyArray<RecordedEvent>) =>
  events.flatMap((recorded) => {
    const event = decode(recorded)
    return event.type === 'BecameOverdue' ? [{ subscriptionId: idIn(recorded), invoice: event.data.invoice }] : []
  })

const idIn = ({ stream }: RecordedEvent): string => stream.slice(stream.indexOf('-') + 1)

export const invoicesIn = (ofSubscriptions: ReadonlyArray<RecordedEvent>): ReadonlyArray<{ readonly id: string }> =>
  overdueIn(ofSubscriptions).map(({ invoice }) => ({ id: invoice.invoiceId }))

/** The invoices of subscriptions, by the events of both. */
export const invoicesOf = (
  ofSubscriptions: ReadonlyArray<RecordedEvent>,
  ofInvoices: ReadonlyArray<RecordedEvent>,
): ReadonlyArray<ExportedInvoice> =>
  overdueIn(ofSubscriptions).map(({ subscriptionId, invoice: { invoiceId, period, dueAt } }) => {
    const session = fold(
      InvoiceSession,
      ofInvoices.filter((event) => idIn(event) === invoiceId),
    )
    return {
      id: invoiceId,
      subscription_id: subscriptionId,
      status: session.status === 'absent' ? 'open' : shownStatus(session),
      period_start: timestamp(period.start),
      period_end: timestamp(period.end),
      due_at: timestamp(dueAt),
      payment_id: session.status === 'absent' ? null : session.paymentId,
    }
  })
