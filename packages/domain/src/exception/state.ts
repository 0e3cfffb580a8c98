import { CorruptStream } from '../shared/decider.ts'
import type { CheckoutId, ReturnId } from '../shared/ids.ts'
import type {
  Application,
  ExceptionDetails,
  ExceptionEvent,
  MoneyReturn,
  Resolution,
  UndecidedReason,
} from './events.ts'

type Known = { readonly details: ExceptionDetails; readonly failedReturns: ReadonlyArray<ReturnId> }

/** `undecided`: why it waits for a person; null while nobody has looked whether it can go back by itself. */
export type Open = Known & { readonly status: 'open'; readonly undecided: UndecidedReason | null }
export type Returning = Known & { readonly status: 'returning'; readonly moneyReturn: MoneyReturn }
export type Returned = Known & { readonly status: 'returned'; readonly moneyReturn: MoneyReturn }
export type Applying = Known & { readonly status: 'applying'; readonly application: Application }
/** `by` is the return or the checkout that ended it; null where it was kept. */
export type Resolved = Known & {
  readonly status: 'resolved'
  readonly resolution: Resolution
  readonly by: ReturnId | CheckoutId | null
}
export type Existing = Open | Returning | Returned | Applying | Resolved
export type ExceptionState = { readonly status: 'absent' } | Existing

export const initial: ExceptionState = { status: 'absent' }

export const evolve = (state: ExceptionState, { type, data }: ExceptionEvent): ExceptionState => {
  const corrupt = () => new CorruptStream(type, state.status)
  if (type === 'ExceptionOpened') {
    if (state.status !== 'absent') throw corrupt()
    return { status: 'open', details: data, failedReturns: [], undecided: null }
  }
  if (state.status === 'absent' || state.status === 'resolved') throw corrupt()
  const { details, failedReturns } = state
  switch (type) {
    case 'ExceptionLeftToPerson':
      if (state.status !== 'open') throw corrupt()
      return { ...state, undecided: data.reason }
    case 'ReturnStarted':
      if (state.status !== 'open') throw corrupt()
      return { status: 'returning', details, failedReturns, moneyReturn: data }
    case 'ReturnFailed':
      if (state.status !== 'returning') throw corrupt()
      return {
        status: 'open',
        details,
        failedReturns: [...failedReturns, data.returnId],
        undecided: data.reason,
      }
    case 'ExceptionReturned':
      if (state.status !== 'returning') throw corrupt()
      return { ...state, status: 'returned' }
    case 'ApplicationStarted':
      if (state.status !== 'open') throw corrupt()
      return { status: 'applying', details, failedReturns, application: data }
    case 'ExceptionResolved':
      if (state.status === 'returning') throw corrupt()
      return { status: 'resolved', details, failedReturns, resolution: data, by: endedBy(state) }
  }
}

const endedBy = (state: Open | Returned | Applying): Resolved['by'] => {
  switch (state.status) {
    case 'open':
      return null
    case 'returned':
      return state.moneyReturn.returnId
    case 'applying':
      return state.application.checkoutId
  }
}
