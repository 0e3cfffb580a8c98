import { Checkout, type CheckoutDetails, CheckoutId, InvoiceId, InvoiceSession, unixMs } from '@quittance/domain'
import { type CheckoutRow, checkouts, type ReadModel } from '@quittance/projections'
import * as t from 'io-ts'

/** What is paid in a session: a checkout, or an invoice, whose id is the memo as well. */
export const SessionId = t.union([CheckoutId, InvoiceId], 'SessionId')
export type SessionId = t.TypeOf<typeof SessionId>

/** Of what has no deadline: its subscription says when nothing is to be done any more. */
export const noDeadline = unixMs(Date.UTC(9999, 0))

/** The streams that a session of this id is in. Both kinds obey the same rules. */
export const sessionsOf = (id: string): typeof Checkout => (InvoiceId.is(id) ? InvoiceSession : Checkout)

/** How the row of a session is folded from its stream. */
export const sessionModel = (id: string): ReadModel<CheckoutRow> => ({
  ...checkouts,
  category: sessionsOf(id).category,
})

/** The checkout that a session is, or with which the subscription began that its invoice is for. */
export const checkoutIdOf = (id: SessionId, { invoice }: Pick<CheckoutDetails, 'invoice'>): CheckoutId => {
  if (CheckoutId.is(id)) return id
  if (invoice === undefined) throw new Error(`${id} is an invoice for nothing`)
  return invoice.checkoutId
}
