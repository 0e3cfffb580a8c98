import { Checkout, InvoiceSession, Payment, type RecordedEvent } from '@quittance/domain'
import { decodedBy, incomingPaymentKey, type ReadModels, type Scope } from '@quittance/projections'
import { isIn } from '../../kernel/load.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'

/** Money that a customer sent and that did not fit, without what people have decided about it. */
export type ExportedException = Pick<
  ExceptionResource,
  | 'id'
  | 'object'
  | 'kind'
  | 'status'
  | 'asset_id'
  | 'amount'
  | 'transaction_hash'
  | 'from_address'
  | 'checkout_id'
  | 'payment_id'
  | 'return_transaction_hash'
  | 'created_at'
  | 'resolved_at'
>

const decodePayment = decodedBy(Payment)
const decodeSession = decodedBy(Checkout)
const sessions = [Checkout, InvoiceSession].map(({ category }) => `${category}-`)

/** The exceptions about an incoming payment; not what a screening has stopped. */
export const misfitsAt = async (
  { exceptions }: Pick<ReadModels, 'exceptions'>,
  scope: Scope,
  key: string,
): Promise<ReadonlyArray<ExportedException>> =>
  (await exceptions.withKey(key))
    .filter((found) => isIn(scope, found) && found.row.details.kind !== 'screened')
    .map((found) => shown(exceptionResource(found)))

/** The places on the ledger of the incoming payments that an event of a session or a payment tells of. */
export const incomingKeys = async (recorded: RecordedEvent): Promise<ReadonlyArray<string>> => {
  if (recorded.stream.startsWith(`${Payment.category}-`)) {
    const event = decodePayment(recorded)
    return event.type === 'PaymentCredited' ? [incomingPaymentKey(event.data.credit)] : []
  }
  if (!sessions.some((prefix) => recorded.stream.startsWith(prefix))) return []
  const event = decodeSession(recorded)
  return event.type === 'CreditAccepted' || event.type === 'CreditSetAside'
    ? [incomingPaymentKey(event.data.credit)]
    : []
}

const shown = (exception: ExceptionResource): ExportedException => ({
  id: exception.id,
  object: exception.object,
  kind: exception.kind,
  status: exception.status,
  asset_id: exception.asset_id,
  amount: exception.amount,
  transaction_hash: exception.transaction_hash,
  from_address: exception.from_address,
  checkout_id: exception.checkout_id,
  payment_id: exception.payment_id,
  return_transaction_hash: exception.return_transaction_hash,
  created_at: exception.created_at,
  resolved_at: exception.resolved_at,
})
