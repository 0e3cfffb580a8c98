import type { SubscriptionCommand, SubscriptionRecord } from '@quittance/domain'

/**
 * An act of people or of the ledger, as it would be in a simulation: whoever signed for a request signs for the one that is open
 * there, and whoever paid an invoice pays the one that is owed there.
 */
export const fitting = (
  command: SubscriptionCommand,
  { authorization: { requested }, collection, invoices }: SubscriptionRecord,
): SubscriptionCommand => {
  switch (command.type) {
    case 'ReplaceMandate':
    case 'OfferAuthorization':
      return requested === null ? command : { ...command, authorizationId: requested.authorizationId }
    case 'SettleInvoice': {
      const isKnown = invoices.some(({ invoice }) => invoice.invoiceId === command.invoiceId)
      return isKnown || collection._tag !== 'invoiced'
        ? command
        : { ...command, invoiceId: collection.invoice.invoiceId }
    }
    default:
      return command
  }
}
