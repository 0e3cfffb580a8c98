import { type CreditBalance, metadataValues, type ProductDetails, unitsLeft } from '@quittance/domain'
import type { CreditTransactionRow, Found } from '@quittance/projections'
import { timestamp } from './fields.ts'

/**
 * A balance in whole credits: `granted` (less reversals) = `consumed` + `expired` + `balance`. A partly used credit counts as
 * consumed, and its remaining units are in `units_remainder`.
 */
export const creditBalanceResource = (
  { unit, unitsPerCredit }: Pick<ProductDetails, 'unit' | 'unitsPerCredit'>,
  balance: CreditBalance,
) => {
  const perCredit = BigInt(unitsPerCredit)
  const left = unitsLeft(balance)
  const granted = (balance.granted - balance.reversed) / perCredit
  return {
    object: 'credit_balance' as const,
    granted: Number(granted),
    consumed: Number(granted - left / perCredit),
    expired: 0,
    balance: Number(left / perCredit),
    unit,
    units_remainder: Number(left % perCredit),
  }
}
export type CreditBalanceResource = ReturnType<typeof creditBalanceResource>

/** An entry in the books: units that were granted, consumed or, after a refund, reversed. */
export const creditTransactionResource = ({ id, environment, row }: Found<CreditTransactionRow>) => ({
  id,
  object: 'credit_transaction' as const,
  type: row.kind,
  units: Number(row.units),
  payment_id: row.paymentId,
  metadata: row.metadata === null ? {} : metadataValues(row.metadata),
  environment,
  created_at: timestamp(row.createdAt),
})
export type CreditTransactionResource = ReturnType<typeof creditTransactionResource>
