import type { PaymentEvent, PaymentState, UnixMs } from '@quittance/domain'
import { asset, type Booking, fiat, type Posting, transfer } from './entry.ts'
import { type SaleValue, saleValue } from './recorded-value.ts'

type Existing = Exclude<PaymentState, { readonly status: 'absent' }>
type Confirmation = Extract<PaymentEvent, { readonly type: 'PaymentConfirmed' }>['data']

/**
 * What an event of a payment does; null for nothing. Incoming payments are owed to nobody in particular until the payment is
 * confirmed: then they are income, and their excess an exception.
 */
export const bookPayment = (
  id: string,
  payment: Existing,
  { type, data }: PaymentEvent,
  occurredAt: UnixMs,
): Booking | null => {
  switch (type) {
    case 'PaymentCredited': {
      const { exceptionId, assetId, amount, closedAt: at, transactionHash, ledger } = data.credit
      const isApplied = exceptionId !== undefined
      const postings = transfer(isApplied ? 'exceptions' : 'settlement', 'incoming', asset(assetId), amount)
      const kind = isApplied ? 'exception_applied' : 'payment_received'
      return { kind, at, subject: id, transactionHash, ledger, postings }
    }
    case 'PaymentConfirmed': {
      const { confirmedAt: at, transactionHash, ledger } = data
      return { kind: 'payment_confirmed', at, subject: id, transactionHash, ledger, postings: earned(payment, data) }
    }
    case 'ReturnClaimed': {
      if (payment.status !== 'confirmed') throw new Error(`${id} goes back, and was never confirmed`)
      const { transactionHash, ledger } = payment.confirmation
      const postings = unearned(payment, payment.confirmation)
      return { kind: 'payment_returned', at: occurredAt, subject: id, transactionHash, ledger, postings }
    }
    case 'PaymentOpened':
    case 'PaymentSubmitted':
    case 'PaymentFailed':
    case 'RefundClaimed':
    case 'RefundReleased':
    case 'PaymentRefunded':
      return null
  }
}

const earned = ({ details }: Existing, confirmation: Confirmation): ReadonlyArray<Posting> => {
  const { amount, excess, overpaid, platformFee } = confirmation
  const held = asset(details.assetId)
  const sales = details.subscriptionId === null ? 'sales' : 'renewals'
  const value = saleValue(details, confirmation)
  const income =
    value === null
      ? [
          ...transfer('incoming', sales, held, amount - overpaid),
          ...transfer('incoming', 'overpayments', held, overpaid),
        ]
      : [
          ...transfer('incoming', 'conversion', held, amount),
          ...transfer('conversion', sales, fiat(value.currency), value.price),
          ...transfer('conversion', 'overpayments', fiat(value.currency), value.overpaid),
        ]
  const fee =
    platformFee === undefined
      ? []
      : transfer('platform_fees', 'fees_owed', asset(platformFee.assetId), platformFee.amount)
  return [...income, ...transfer('incoming', 'exceptions', held, excess), ...fee]
}

/** A payment that goes back without a refund: its money belongs to exceptions from then on, and no fee is owed for it. */
const unearned = ({ details }: Existing, confirmation: Confirmation): ReadonlyArray<Posting> => {
  const { amount, platformFee } = confirmation
  const held = asset(details.assetId)
  const value = saleValue(details, confirmation)
  const fee =
    platformFee === undefined
      ? []
      : transfer('fees_owed', 'platform_fees', asset(platformFee.assetId), platformFee.amount)
  return [...(value === null ? transfer('returns', 'incoming', held, amount) : inFiat(value)), ...fee]

  function inFiat({ currency, price, overpaid }: SaleValue): ReadonlyArray<Posting> {
    return [
      ...transfer('returns', 'conversion', fiat(currency), price + overpaid),
      ...transfer('conversion', 'incoming', held, amount),
    ]
  }
}
