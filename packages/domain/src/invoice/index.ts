import { Checkout } from '../checkout/index.ts'

/**
 * The session in which an invoice (`inv_…`) is paid: in all a checkout's, in streams of its own, so that it is listed and
 * told of nowhere as a checkout. It ends when the invoice is paid, or is not to be paid any more.
 */
export const InvoiceSession: typeof Checkout = { ...Checkout, category: 'invoice' }
