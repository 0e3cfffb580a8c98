import { Checkout, type CheckoutDetails, CheckoutId, InvoiceId, InvoiceSession, unixMs } from '@quittance/domain'
import { type CheckoutRow, checkouts, type ReadModel } from '@quittance/projections'
import * as t from 'io-ts'

/** The id of a session: of a checkout or an invoice. Who knows it may pay, and say who pays. */
export const SessionId = t.union([CheckoutId, InvoiceId], 'SessionId')
export type SessionId = t.TypeOf<typeof SessionId>

/** The deadline of sessions without one: their subscription says when they end. */
export const noDeadline = unixMs(Date.UTC(9999, 0))

/** The aggregate of a session with this id. Both kinds obey the same rules. */
export const sessionsOf = (id: string): typeof Checkout => (InvoiceId.is(id) ? InvoiceSession : Checkout)

/** The read model that folds a session's row. */
export const sessionModel = (id: string): ReadModel<CheckoutRow> => ({
  ...checkouts,
  category: sessionsOf(id).category,
})

/** The checkout of a session; for an invoice, the one that its subscription began with. */
export const checkoutIdOf = (id: SessionId, { invoice }: Pick<CheckoutDetails, 'invoice'>): CheckoutId => {
  if (CheckoutId.is(id)) return id
  if (invoice === undefined) throw new Error(`${id} is an invoice for nothing`)
  return invoice.checkoutId
}
