import { type Found, type PaymentRow, refunds } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { retrieveExisting, type StoreUnavailable } from '../../kernel/load.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import type { PortalServices } from '../services.ts'

/** What was given back, or is on its way. Why is the merchant's own business. */
export type ReceiptRefund = Pick<RefundResource, 'id' | 'amount' | 'status' | 'succeeded_at' | 'transaction_hash'>

/** The refunds of a payment that have not failed. A refund that was only claimed so far is not told yet. */
export const refundsOf = async (
  { store }: PortalServices,
  { merchantId, environment, row }: Found<PaymentRow>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<ReceiptRefund>>> => {
  const claimed = row.status === 'confirmed' ? row.refunds.filter(({ status }) => status !== 'released') : []
  const shown: Array<ReceiptRefund> = []
  for (const { refundId } of claimed) {
    const found = await retrieveExisting(store)(refunds, refundId, { merchantId, environment }, null)
    if (E.isRight(found)) shown.push(refundResource(found.right))
    else if (found.left !== null) return E.left(found.left)
  }
  return E.right(
    shown.map(({ id, amount, status, succeeded_at, transaction_hash }) => ({
      id,
      amount,
      status,
      succeeded_at,
      transaction_hash,
    })),
  )
}
