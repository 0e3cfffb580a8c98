import { nextDue, PayoutBook, PayoutBookState } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A merchant's schedules of payouts, with their moments. */
export type PayoutBookRow = StateRow<PayoutBookState>

/** Due at the first moment of the schedule that is not dealt with. */
export const payoutSchedules = stateModel({
  name: 'payout_schedules',
  version: 2,
  aggregate: PayoutBook,
  record: PayoutBookState,
  columns: ({ schedule, ranThrough }) =>
    schedule === null ? { status: 'removed' } : { status: 'set', dueAt: nextDue(schedule, ranThrough) },
})
