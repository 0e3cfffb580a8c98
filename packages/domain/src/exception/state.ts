import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { CheckoutId, ReturnId } from '../shared/ids.ts'
import { TransactionHash } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import {
  Application,
  ExceptionDetails,
  type ExceptionEvent,
  MoneyReturn,
  Resolution,
  UndecidedReason,
} from './events.ts'

const ReturnEnd = t.union([
  strict({ _tag: t.literal('returned'), transactionHash: TransactionHash }),
  strict({ _tag: t.literal('failed'), reason: UndecidedReason, code: Text }),
])

/**
 * `moneyReturn` is the last return that was started, with `sendsAt` as long as it waits, and `returnEnd` how it ended; null
 * while it has not.
 */
const exception = {
  details: ExceptionDetails,
  failedReturns: t.readonlyArray(ReturnId),
  moneyReturn: orNull(MoneyReturn),
  returnEnd: orNull(ReturnEnd),
}
const inReturn = { ...exception, moneyReturn: MoneyReturn }

/** What is kept of an exception once it exists. */
export const ExceptionRecord = byStatus(
  {
    /** `undecided`: why it waits for a person; null until the service has checked whether it can go back by itself. */
    open: { ...exception, undecided: orNull(UndecidedReason) },
    returning: inReturn,
    returned: inReturn,
    applying: { ...exception, application: Application },
    /** `by` is the return or the checkout that ended it; null where it was kept. */
    resolved: { ...exception, resolution: Resolution, by: orNull(t.union([ReturnId, CheckoutId])) },
  },
  'ExceptionRecord',
)
export type ExceptionRecord = t.TypeOf<typeof ExceptionRecord>
type Of<Status> = Extract<ExceptionRecord, { readonly status: Status }>
/** What the events of its stream say about an exception. */
export type ExceptionState = { readonly status: 'absent' } | ExceptionRecord

export const initial: ExceptionState = { status: 'absent' }

export const evolve = (state: ExceptionState, { type, data }: ExceptionEvent): ExceptionState => {
  const corrupt = () => new CorruptStream(type, state.status)
  if (type === 'ExceptionOpened') {
    if (state.status !== 'absent') throw corrupt()
    const undecided = data.kind === 'screened' ? ('screening' as const) : null
    return { status: 'open', details: data, failedReturns: [], moneyReturn: null, returnEnd: null, undecided }
  }
  if (state.status === 'absent' || state.status === 'resolved') throw corrupt()
  const { details, failedReturns, moneyReturn, returnEnd } = state
  const known = { details, failedReturns, moneyReturn, returnEnd }
  switch (type) {
    case 'ExceptionLeftToPerson':
      if (state.status !== 'open') throw corrupt()
      return { ...state, undecided: data.reason }
    case 'ReturnStarted':
      if (state.status !== 'open') throw corrupt()
      return { ...known, status: 'returning', moneyReturn: data, returnEnd: null }
    case 'ReturnPostponed':
      if (state.status !== 'returning') throw corrupt()
      return { ...state, moneyReturn: { ...state.moneyReturn, sendsAt: data.sendsAt } }
    case 'ReturnWaitEnded': {
      if (state.status !== 'returning') throw corrupt()
      const { sendsAt: _, ...underWay } = state.moneyReturn
      return { ...state, moneyReturn: underWay }
    }
    case 'ReturnFailed':
      if (state.status !== 'returning') throw corrupt()
      return {
        ...known,
        status: 'open',
        failedReturns: [...failedReturns, data.returnId],
        returnEnd: { _tag: 'failed', reason: data.reason, code: data.code },
        // What a screening has stopped is the operator's again.
        undecided: details.kind === 'screened' ? 'screening' : data.reason,
      }
    case 'HoldReleased':
    case 'HoldKept':
      if (state.status !== 'open') throw corrupt()
      return { ...state, undecided: type === 'HoldKept' ? 'screening_kept' : 'screening_cleared' }
    case 'ExceptionReturned':
      if (state.status !== 'returning') throw corrupt()
      return { ...state, status: 'returned', returnEnd: { _tag: 'returned', transactionHash: data.transactionHash } }
    case 'ApplicationStarted':
      if (state.status !== 'open') throw corrupt()
      return { ...known, status: 'applying', application: data }
    case 'ExceptionResolved':
      if (state.status === 'returning') throw corrupt()
      return { ...known, status: 'resolved', resolution: data, by: endedBy(state) }
  }
}

/** Whether a screening has stopped it, so that only the operator decides. */
export const isHeldForOperator = (state: ExceptionRecord): boolean =>
  state.status === 'open' && (state.undecided === 'screening' || state.undecided === 'screening_kept')

const endedBy = (state: Of<'open' | 'returned' | 'applying'>): Of<'resolved'>['by'] => {
  switch (state.status) {
    case 'open':
      return null
    case 'returned':
      return state.moneyReturn.returnId
    case 'applying':
      return state.application.checkoutId
  }
}
