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
 * Whether the sender that an incoming payment names has sent it itself. For a contract call or a claimable balance, the
 * named sender only submitted the transaction or created the balance, and may own none of the money. What was recorded
 * before the origin was kept counts as sent.
 */
const isSentByAccount = ({ origin, sum }: IncomingPayment): boolean =>
  sum?.senders !== 'several' &&
  (origin === undefined || (sentByItself.has(origin.kind) && origin.fromContract === null))

/** Whether one account has sent all of it. A stranger may add the last stroop to somebody else's purchase. */
export const isSentByOneAccount = (accepted: ReadonlyArray<IncomingPayment>): boolean =>
  accepted.every((incoming) => incoming.from === accepted[0]?.from && isSentByAccount(incoming))
