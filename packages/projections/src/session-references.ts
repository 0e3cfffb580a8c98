import { Checkout, CheckoutId, InvoiceId, InvoiceSession, Reference } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { ReadModel } from './read-model.ts'

/** The session that a reference on the ledger stands for. The reference is the row's id. */
export const SessionReferenceRow = t.strict({ sessionId: t.union([CheckoutId, InvoiceId]) })
export type SessionReferenceRow = t.TypeOf<typeof SessionReferenceRow>

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
  // Only the reference is decoded: sessions are made too often to decode each event for it.
  rowOf: ({ type, data: { reference } }) => (type === 'CheckoutCreated' && Reference.is(reference) ? reference : null),
  fold: (row, { stream }) => {
    const sessionId = stream.slice(`${category}-`.length)
    return O.isSome(row) || !ids.is(sessionId) ? row : O.some({ sessionId })
  },
  columns: () => ({}),
  isFoundByIdAlone: true,
})

export const checkoutReferences = sessionReferences('checkout_references', Checkout.category, CheckoutId)
export const invoiceReferences = sessionReferences('invoice_references', InvoiceSession.category, InvoiceId)
