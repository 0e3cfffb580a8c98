import { Checkout, CheckoutId, InvoiceId, InvoiceSession } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** The session that a reference on the ledger stands for. The reference is the row's id. */
export const SessionReferenceRow = t.strict({ sessionId: t.union([CheckoutId, InvoiceId]) })
export type SessionReferenceRow = t.TypeOf<typeof SessionReferenceRow>

const decode = decodedBy(Checkout)

/** A session is recorded with its reference: so a rebuild from the log finds it again, without the key that made it. */
const sessionReferences = (
  name: string,
  category: string,
  ids: typeof CheckoutId | typeof InvoiceId,
): ReadModel<SessionReferenceRow> => ({
  name,
  version: 1,
  category,
  row: SessionReferenceRow,
  rowOf: (recorded) => {
    const event = recorded.type === 'CheckoutCreated' ? decode(recorded) : null
    return event?.type === 'CheckoutCreated' ? (event.data.reference ?? null) : null
  },
  fold: (row, { stream }) => {
    const sessionId = stream.slice(`${category}-`.length)
    return O.isSome(row) || !ids.is(sessionId) ? row : O.some({ sessionId })
  },
  columns: () => ({}),
})

export const checkoutReferences = sessionReferences('checkout_references', Checkout.category, CheckoutId)
export const invoiceReferences = sessionReferences('invoice_references', InvoiceSession.category, InvoiceId)
