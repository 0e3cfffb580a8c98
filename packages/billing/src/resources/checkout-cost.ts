import { amountDue, type Count, type Stroops, stroops } from '@quittance/domain'
import type { CheckoutRow } from '@quittance/projections'

/**
 * What a session asks of its customer now. `amountDue` is in the session's asset; null if nothing can be paid, or if it is
 * not known. `trialDays` is null where there is no subscription.
 */
export type CheckoutCost = { readonly amountDue: Stroops | null; readonly trialDays: Count | null }

/** As far as the session itself tells, without exchange rates, and without a look at earlier trials of its customer. */
export const knownCost = (row: CheckoutRow): CheckoutCost => {
  const { price, subscription } = row.details
  const trialDays = row.enrolment?.trialDays ?? subscription?.trialDays ?? null
  if (row.status !== 'open') return { amountDue: null, trialDays }
  if (trialDays !== null && trialDays > 0) return { amountDue: stroops(0n), trialDays }
  return { amountDue: price._tag === 'asset' ? amountDue(row, { amount: price.stroops }) : null, trialDays }
}
