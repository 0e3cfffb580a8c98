import type { CreditOrigin, PaymentState } from '@quittance/domain'

type Confirmed = Extract<PaymentState, { readonly status: 'confirmed' }>

/** The number inside the payer's muxed address, where it paid from one. */
export const muxedIdOf = ({
  credits,
  confirmation: { transactionHash },
}: Confirmed): CreditOrigin['fromMuxedId'] | null =>
  credits.findLast((credit) => credit.transactionHash === transactionHash)?.origin?.fromMuxedId ?? null
