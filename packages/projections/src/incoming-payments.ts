import { IncomingPayment, Payment, PaymentId, type RecordedEvent } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** An incoming payment, or a sum of several, that a payment has recorded. */
export const IncomingPaymentRow = t.strict({ paymentId: PaymentId, incoming: IncomingPayment })
export type IncomingPaymentRow = t.TypeOf<typeof IncomingPaymentRow>

type Position = {
  readonly transactionHash: string
  readonly operationIndex: number | null
  readonly ordinal?: number
}

/** The place of an incoming payment on the ledger; of a sum, that of its first. */
export const incomingPaymentKey = ({ transactionHash, operationIndex, ordinal }: Position): string =>
  `${transactionHash}/${operationIndex}${ordinal === undefined ? '' : `/${ordinal}`}`

const decode = decodedBy(Payment)
const paymentOf = ({ stream }: RecordedEvent): string => stream.slice(Payment.category.length + 1)

const fold = (row: O.Option<IncomingPaymentRow>, recorded: RecordedEvent): O.Option<IncomingPaymentRow> => {
  const event = decode(recorded)
  const paymentId = paymentOf(recorded)
  if (event.type !== 'PaymentCredited' || !PaymentId.is(paymentId)) return row
  return O.some({ paymentId, incoming: event.data.credit })
}

/** A row for each, so that a payment of many does not grow a row. Found by its place on the ledger. */
export const incomingPayments: ReadModel<IncomingPaymentRow> = {
  name: 'incoming_payments',
  version: 1,
  category: Payment.category,
  row: IncomingPaymentRow,
  fold,
  rowOf: (event) =>
    event.type === 'PaymentCredited' ? `${paymentOf(event)}/${String(event.revision).padStart(10, '0')}` : null,
  columns: ({ paymentId, incoming }) => ({ listedUnder: paymentId, lookupKey: incomingPaymentKey(incoming) }),
}
