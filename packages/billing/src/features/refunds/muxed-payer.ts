import type { IncomingPaymentOrigin, PaymentState } from '@quittance/domain'

type Confirmed = Extract<PaymentState, { readonly status: 'confirmed' }>

/** The number inside the payer's muxed address, where it paid from one. */
export const muxedIdOf = ({
  incomingPayments,
  confirmation: { transactionHash },
}: Confirmed): IncomingPaymentOrigin['fromMuxedId'] | null =>
  incomingPayments.findLast((incoming) => incoming.transactionHash === transactionHash)?.origin?.fromMuxedId ?? null
