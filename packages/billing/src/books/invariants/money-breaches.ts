import { feeOf, LedgerTransaction, Payment, Refund } from '@quittance/domain'
import type { Found, PaymentRow, ReadModels } from '@quittance/projections'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { Breach } from '../../stores/invariant.ts'

type StreamName = { readonly category: string; readonly id: string }

/** The rules about money that a stream breaks, by a few indexed queries of the read models. */
export const moneyBreaches = async (
  readModels: ReadModels,
  { category, id }: StreamName,
): Promise<ReadonlyArray<Breach>> => {
  switch (category) {
    case Payment.category: {
      const payment = await readModels.payments.withId(id)
      if (payment === null) return []
      return [
        ...(await confirmedTwice(readModels, payment)),
        ...(await refundedTooMuch(readModels, payment)),
        ...feeNotAgreed(payment),
      ]
    }
    case Refund.category: {
      const refund = await readModels.refunds.withId(id)
      const payment = refund === null ? null : await readModels.payments.withId(refund.row.details.paymentId)
      return payment === null ? [] : await refundedTooMuch(readModels, payment)
    }
    case LedgerTransaction.category:
      return carriedTwice(readModels, id)
    default:
      return []
  }
}

/** Renewals differ by their period. Unapplied payments of a subscription do not count. */
const confirmedTwice = async (
  { payments, subscriptions }: ReadModels,
  { row }: Found<PaymentRow>,
): Promise<ReadonlyArray<Breach>> => {
  const { checkoutId, subscriptionId, period } = row.details
  const unapplied: ReadonlyArray<string> =
    (await subscriptions.withId(subscriptionId ?? ''))?.row.unappliedPayments ?? []
  const confirmed = (await payments.withKey(subscriptionId ?? checkoutId)).filter(
    ({ id, row: { status, details } }) =>
      status === 'confirmed' && details.period === period && !unapplied.includes(id),
  )
  if (confirmed.length <= 1) return []
  return subscriptionId === null
    ? [{ invariant: 'one_confirmed_payment', detail: `${confirmed.length} payments of ${checkoutId} are confirmed` }]
    : [
        {
          invariant: 'one_confirmed_renewal',
          detail: `${confirmed.length} payments for period ${period} of ${subscriptionId} are confirmed`,
        },
      ]
}

const mostRefunds = 100

const refundedTooMuch = async (
  { refunds }: ReadModels,
  { id, merchantId, environment, row }: Found<PaymentRow>,
): Promise<ReadonlyArray<Breach>> => {
  const { rows } = await refunds.page({
    merchantId,
    environment,
    listedUnder: id,
    status: 'succeeded',
    limit: mostRefunds,
  })
  const refunded = rows.reduce((sum, each) => sum + each.row.details.amount, 0n)
  const paid = row.status === 'confirmed' ? row.confirmation.amount : 0n
  return rows.length > 1 || refunded > paid
    ? [
        {
          invariant: 'refunded_once',
          detail: `${id} has ${rows.length} settled refunds of ${refunded} in all; ${paid} were paid`,
        },
      ]
    : []
}

/** The fee follows from the terms with which the payment was opened. */
const feeNotAgreed = ({ id, row }: Found<PaymentRow>): ReadonlyArray<Breach> => {
  if (row.status !== 'confirmed') return []
  const { details, confirmation } = row
  const { amount, overpaid } = confirmation
  const [booked, of] = [confirmation.platformFee?.amount ?? 0n, confirmation.platformFee?.assetId ?? details.assetId]
  const terms = details.platformFee
  const agreed = terms === undefined ? 0n : feeOf(terms, details.assetId, amount - overpaid)
  return booked === agreed && of === details.assetId
    ? []
    : [{ invariant: 'platform_fee_agreed', detail: `${id} owes a fee of ${booked} ${of}; agreed were ${agreed}` }]
}

/** A released transaction may be in a ledger: until its end is recorded, its intents are attached to it alone. */
const carriedTwice = async (
  { ledgerTransactions, intents }: ReadModels,
  hash: string,
): Promise<ReadonlyArray<Breach>> => {
  const transaction = await ledgerTransactions.withId(hash)
  if (transaction === null) return []
  const { status, intents: carried } = transaction.row
  if (status !== 'released' && status !== 'succeeded') return []
  const elsewhere = await filterInTurn(
    carried,
    async (intentId) => (await intents.withId(intentId))?.row.attachedTo !== hash,
  )
  return elsewhere.length > 0
    ? [{ invariant: 'one_live_transaction', detail: `it is ${status}, and ${elsewhere.join(', ')} not attached to it` }]
    : []
}
