import { nextDue, PayoutBook, PayoutSchedule, type RecordedEvent, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** When an asset is paid out by itself; `schedule` is null where it is not. What was due up to `ranThrough` is dealt with. */
export const PayoutScheduleRow = t.strict({
  schedule: t.union([t.null, PayoutSchedule]),
  setAt: UnixMs,
  ranThrough: UnixMs,
})
export type PayoutScheduleRow = t.TypeOf<typeof PayoutScheduleRow>

const decode = decodedBy(PayoutBook)

const fold = (row: O.Option<PayoutScheduleRow>, recorded: RecordedEvent): O.Option<PayoutScheduleRow> => {
  const event = decode(recorded)
  const known = O.toNullable(row) ?? { schedule: null, setAt: unixMs(0), ranThrough: unixMs(0) }
  const ran = (dueAt: UnixMs) => O.some({ ...known, ranThrough: unixMs(Math.max(known.ranThrough, dueAt)) })
  switch (event.type) {
    case 'PayoutScheduleSet': {
      const { schedule, setAt } = event.data
      return O.some({ schedule, setAt, ranThrough: unixMs(Math.max(known.ranThrough, setAt)) })
    }
    case 'PayoutScheduleRemoved':
      return O.some({ ...known, schedule: null })
    case 'PayoutClaimed':
      return event.data.details.dueAt === undefined ? row : ran(event.data.details.dueAt)
    case 'PayoutSkipped':
      return ran(event.data.dueAt)
    case 'PayoutClaimEnded':
      return row
  }
}

/** Due at the first moment of the schedule that is not dealt with. */
export const payoutSchedules: ReadModel<PayoutScheduleRow> = {
  name: 'payout_schedules',
  version: 1,
  category: PayoutBook.category,
  row: PayoutScheduleRow,
  fold,
  columns: ({ schedule, ranThrough }) => ({
    status: schedule === null ? 'removed' : 'set',
    dueAt: schedule === null ? null : nextDue(schedule, ranThrough),
  }),
}
