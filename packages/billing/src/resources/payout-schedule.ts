import { decimalFromStroops, nextDue } from '@quittance/domain'
import type { Found, PayoutBookRow } from '@quittance/projections'
import { assetOfBook } from '../kernel/payout-book.ts'
import { timestamp } from './fields.ts'

/** A payout schedule as the interface shows it. Throws for an asset that has none. */
export const payoutScheduleResource = ({ id, environment, row }: Found<PayoutBookRow>) => {
  const { schedule, setAt, ranThrough } = row
  if (schedule === null) throw new Error(`${id} has no schedule`)
  const { interval, reserve, destinationId } = schedule
  return {
    object: 'payout_schedule' as const,
    asset_id: assetOfBook(id),
    interval: interval.type,
    weekly_anchor: interval.type === 'weekly' ? interval.weekday : null,
    threshold: interval.type === 'threshold' ? decimalFromStroops(interval.threshold) : null,
    reserve: decimalFromStroops(reserve),
    destination: destinationId,
    next_payout_at: timestamp(nextDue(schedule, ranThrough)),
    environment,
    updated_at: timestamp(setAt),
  }
}
export type PayoutScheduleResource = ReturnType<typeof payoutScheduleResource>
