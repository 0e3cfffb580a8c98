import {
  CheckoutId,
  Exception,
  ExceptionAction,
  ExceptionDetails,
  ExceptionId,
  hourMs,
  MoneyReturn,
  PaymentId,
  type RecordedEvent,
  Text,
  TransactionHash,
  UndecidedReason,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const orNull = <C extends t.Mixed>(codec: C) => t.union([t.null, codec])

/**
 * Money that does not fit. `isNew`: nobody has looked yet whether it can go back by itself; `undecided`: why a person has
 * to decide. `moneyReturn` is the last return, `returnEnd` its transaction or why it came to nothing; `application` the
 * checkout that it is to count for.
 */
export const ExceptionRow = t.strict({
  details: ExceptionDetails,
  status: t.keyof({ open: null, resolved: null }),
  isNew: t.boolean,
  undecided: orNull(UndecidedReason),
  moneyReturn: orNull(MoneyReturn),
  returnEnd: orNull(
    t.union([
      t.strict({ _tag: t.literal('returned'), transactionHash: TransactionHash }),
      t.strict({ _tag: t.literal('failed'), reason: UndecidedReason, code: Text }),
    ]),
  ),
  application: orNull(t.strict({ checkoutId: CheckoutId, paymentId: PaymentId, startedAt: UnixMs })),
  resolution: orNull(t.strict({ action: ExceptionAction, resolvedAt: UnixMs, actor: Text, note: orNull(Text) })),
  createdAt: UnixMs,
})
export type ExceptionRow = t.TypeOf<typeof ExceptionRow>

const decode = decodedBy(Exception)

const fold = (row: O.Option<ExceptionRow>, recorded: RecordedEvent): O.Option<ExceptionRow> => {
  const event = decode(recorded)
  const patch = (fields: Partial<ExceptionRow>) => O.map((known: ExceptionRow) => ({ ...known, ...fields }))(row)
  switch (event.type) {
    case 'ExceptionOpened':
      return O.some({
        details: event.data,
        status: 'open',
        isNew: true,
        undecided: null,
        moneyReturn: null,
        returnEnd: null,
        application: null,
        resolution: null,
        createdAt: unixMs(recorded.metadata.occurredAt),
      })
    case 'ExceptionLeftToPerson':
      return patch({ isNew: false, undecided: event.data.reason })
    case 'ReturnStarted':
      return patch({ isNew: false, undecided: null, moneyReturn: event.data, returnEnd: null })
    case 'ReturnFailed': {
      const { reason, code } = event.data
      return patch({ undecided: reason, returnEnd: { _tag: 'failed', reason, code } })
    }
    case 'ExceptionReturned':
      return patch({ returnEnd: { _tag: 'returned', transactionHash: event.data.transactionHash } })
    case 'ApplicationStarted': {
      const { checkoutId, paymentId, startedAt } = event.data
      return patch({ isNew: false, undecided: null, application: { checkoutId, paymentId, startedAt } })
    }
    case 'ExceptionResolved':
      return patch({ status: 'resolved', isNew: false, undecided: null, resolution: event.data })
  }
}

/** How long an exception may wait for a person before it alarms. */
export const exceptionAlarmMs = 3 * 24 * hourMs

/**
 * Listed by kind, which stands where a customer would, and found by its checkout. Due at once until somebody has looked
 * whether it can go back, and while a return or an application is under way: a crash may have come after its start. What
 * waits for a person falls due with its alarm.
 */
export const exceptions: ReadModel<ExceptionRow> = {
  name: 'exceptions',
  version: 2,
  category: Exception.category,
  row: ExceptionRow,
  ids: ExceptionId,
  fold,
  columns: (row) => ({
    status: row.status,
    customerId: row.details.kind,
    lookupKey: row.details.checkoutId,
    dueAt: dueAt(row),
  }),
}

const dueAt = (row: ExceptionRow): UnixMs | null => {
  if (row.status === 'resolved') return null
  return isWaiting(row) ? unixMs(row.createdAt + exceptionAlarmMs) : unixMs(0)
}

/** Whether nothing happens until a person decides. */
export const isWaiting = ({ status, undecided }: ExceptionRow): boolean => status === 'open' && undecided !== null
