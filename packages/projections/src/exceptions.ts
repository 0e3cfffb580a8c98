import { dayMs, Exception, ExceptionId, ExceptionRecord } from '@quittance/domain'
import { incomingPaymentKey } from './incoming-payments.ts'
import { type StateRow, stateModel } from './state-model.ts'

/** An exception as its row holds it, with when it was made and last changed. */
export type ExceptionRow = StateRow<ExceptionRecord>

/** How long an exception may wait for a person before it alarms. */
export const exceptionAlarmMs = 3 * dayMs

/** Whether the operator has decided that it stays held: nobody is reminded of it. */
const isKept = (row: ExceptionRow): boolean => row.status === 'open' && row.undecided === 'screening_kept'

/** Whether nothing happens until a person decides. */
export const isWaiting = (row: ExceptionRow): boolean => row.status === 'open' && row.undecided !== null

/**
 * Due at once until the service has checked whether it can go back, and while a return or an application is under way: a
 * crash may have come after its start. An exception that waits for a person falls due with its alarm.
 */
const dueAt = (row: ExceptionRow): number | null => {
  if (row.status === 'resolved' || isKept(row)) return null
  return isWaiting(row) ? row.createdAt + exceptionAlarmMs : 0
}

/** Listed by kind, and found by the place on the ledger of the incoming payment, or the change, that it is about. */
export const exceptions = stateModel({
  name: 'exceptions',
  version: 4,
  aggregate: Exception,
  record: ExceptionRecord,
  ids: ExceptionId,
  columns: (row) => ({
    status: row.status === 'resolved' ? 'resolved' : 'open',
    listedUnder: row.details.kind,
    lookupKey: incomingPaymentKey(row.details),
    dueAt: dueAt(row),
  }),
})
