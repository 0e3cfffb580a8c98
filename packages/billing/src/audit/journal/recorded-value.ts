import type { CurrencyCode, PaymentDetails, PaymentState } from '@quittance/domain'

type Confirmed = Extract<PaymentState, { readonly status: 'confirmed' }>

/** What a sale was worth when it was paid, in hundredths of its currency: its price, and the overpayment that is kept. */
export type SaleValue = { readonly currency: CurrencyCode; readonly price: bigint; readonly overpaid: bigint }

/**
 * The recorded value of a sale: its price, at which what was asked for it was bought, and what was paid beside it at the same
 * rate, rounded down. Null for a price in the asset itself, which has no recorded value.
 */
export const saleValue = (
  { currencyCode, amountCents }: Pick<PaymentDetails, 'currencyCode' | 'amountCents'>,
  { amount, overpaid }: Pick<Confirmed['confirmation'], 'amount' | 'overpaid'>,
): SaleValue | null => {
  if (currencyCode === null || amountCents === null) return null
  const asked = amount - overpaid
  const kept = asked === 0n ? 0n : (overpaid * amountCents) / asked
  return { currency: currencyCode, price: amountCents, overpaid: kept }
}

/** The part of a sale's value that belongs to a part of its amount, rounded down; all of it to all. */
export const partOf = ({ price, overpaid }: SaleValue, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : ((price + overpaid) * part) / whole
