import type { CreditOrigin, PaymentState } from '@quittance/domain'

type Confirmed = Extract<PaymentState, { readonly status: 'confirmed' }>

/** How the money came that has completed a payment; undefined of what was recorded before that was kept. */
const completedBy = ({ credits, confirmation: { transactionHash } }: Confirmed): CreditOrigin | undefined =>
  credits.findLast((credit) => credit.transactionHash === transactionHash)?.origin

/**
 * Whether the payer's account itself has sent what completed the payment. Of a contract, or a claimable balance, `payer` is
 * whoever brought the transaction to the ledger, or put the money aside: they may hold nothing of it.
 */
export const isPaidByAccount = (payment: Confirmed): boolean => {
  const origin = completedBy(payment)
  if (origin === undefined) return true
  const isTransfer = ['payment', 'path_payment', 'contract_transfer'].includes(origin.kind)
  return isTransfer && origin.fromContract === null
}

/** The number inside the payer's muxed address, where it paid from one. */
export const muxedIdOf = (payment: Confirmed): CreditOrigin['fromMuxedId'] => completedBy(payment)?.fromMuxedId ?? null
