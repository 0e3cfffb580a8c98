import {
  type AssetId,
  CurrencyCode,
  type LedgerSequence,
  type PaymentState,
  type PayoutState,
  type UnixMs,
} from '@quittance/domain'
import type { PaidFor } from '../../features/outgoing/paid-for.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { asset, type Booking, fiat, type Posting, transfer } from './entry.ts'
import { partOf, saleValue } from './recorded-value.ts'

/** What is known of a movement out of an account: what it was for, and its value in US cents, if that was recorded. */
export type OutgoingFacts = {
  readonly refunded: PaymentState
  readonly payout: PayoutState
  readonly cents: bigint | null
}

type Settled = { readonly transactionHash: string; readonly ledger: LedgerSequence; readonly closedAt: UnixMs }

/** Books money that a closed ledger has moved out of a settlement account. */
export const bookOutgoing = (
  { tag, id, action: { assetId, amount } }: PaidFor,
  { transactionHash, ledger, closedAt: at }: Settled,
  facts: OutgoingFacts,
): Booking => {
  const entry = { kind: tag, at, subject: id, transactionHash, ledger }
  switch (tag) {
    case 'return':
      return { ...entry, postings: transfer('exceptions', 'settlement', asset(assetId), amount) }
    case 'payout':
      return { ...entry, postings: withdrawn(assetId, amount, facts) }
    case 'refund':
      return { ...entry, postings: refunded(assetId, amount, facts) }
  }
}

const dollars = decodeOrThrow(CurrencyCode, 'USD')

const withdrawn = (assetId: AssetId, amount: bigint, { payout, cents }: OutgoingFacts): ReadonlyArray<Posting> => {
  if (payout.status !== 'absent' && payout.details.purpose === 'platform_fee')
    return transfer('fees_owed', 'settlement', asset(assetId), amount)
  if (cents === null) return transfer('payouts', 'settlement', asset(assetId), amount)
  return [
    ...transfer('conversion', 'settlement', asset(assetId), amount),
    ...transfer('payouts', 'conversion', fiat(dollars), cents),
  ]
}

/** A refund takes back what the sale was worth; what the same amount is worth more or less by now is a rate difference. */
const refunded = (
  assetId: AssetId,
  amount: bigint,
  { refunded: payment, cents }: OutgoingFacts,
): ReadonlyArray<Posting> => {
  const value = payment.status === 'confirmed' ? saleValue(payment.details, payment.confirmation) : null
  if (payment.status !== 'confirmed' || value === null) return transfer('refunds', 'settlement', asset(assetId), amount)
  const sold = partOf(value, amount, payment.confirmation.amount)
  const dearer = cents === null || value.currency !== dollars ? 0n : cents - sold
  return [
    ...transfer('conversion', 'settlement', asset(assetId), amount),
    ...transfer('refunds', 'conversion', fiat(value.currency), sold),
    ...transfer('rates', 'conversion', fiat(value.currency), dearer),
  ]
}
