import type { IncomingPayment, IncomingPaymentKind } from '@quittance/domain'

/** Nobody can say where the money came from: the caller names a destination. */
export type SenderUnknown = { readonly _tag: 'SenderUnknown' }

const sentByItself: ReadonlySet<IncomingPaymentKind> = new Set([
  'payment',
  'path_payment',
  'account_created',
  'account_merged',
  'contract_transfer',
])

/**
 * Whether the account that a credit names has sent it itself. Of a contract, or a claimable balance, that is whoever
 * brought the transaction to the ledger, or put the money aside: they may hold nothing of it. What was recorded before
 * this was kept counts as sent.
 */
const isSentByAccount = ({ origin }: IncomingPayment): boolean =>
  origin === undefined || (sentByItself.has(origin.kind) && origin.fromContract === null)

/** Whether one account has sent all of it: to a sale of somebody else, a stranger may add the last stroop. */
export const isSentByOneAccount = (credits: ReadonlyArray<IncomingPayment>): boolean =>
  credits.every((credit) => credit.from === credits[0]?.from && isSentByAccount(credit))
