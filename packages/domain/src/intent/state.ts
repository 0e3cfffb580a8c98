import { CorruptStream } from '../shared/decider.ts'
import type { LedgerSequence, OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { GiveUpReason, IntentDetails, IntentEvent } from './events.ts'

type InLedger = {
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

/** How an intent ended, as its owner is told. */
export type IntentEnd =
  | ({ readonly _tag: 'settled' } & InLedger)
  | ({ readonly _tag: 'refused'; readonly code: Text } & InLedger)
  | { readonly _tag: 'given_up'; readonly reason: GiveUpReason; readonly code?: Text }

/**
 * `detachedFrom`: the transactions that can never carry it. `attempts` counts those that died or failed as a whole, one
 * after the other; `bystandings` those that failed by the operation of another.
 */
type Known = {
  readonly details: IntentDetails
  readonly detachedFrom: ReadonlyArray<TransactionHash>
  readonly attempts: number
  readonly bystandings: number
}
export type Waiting = Known & { readonly status: 'waiting' }
export type Attached = Known & {
  readonly status: 'attached'
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex
}
export type Ended = Known & { readonly status: IntentEnd['_tag'] | 'reported'; readonly end: IntentEnd }
export type IntentState = { readonly status: 'absent' } | Waiting | Attached | Ended

export const initial: IntentState = { status: 'absent' }

export const evolve = (state: IntentState, { type, data }: IntentEvent): IntentState => {
  const corrupt = () => new CorruptStream(type, state.status)
  if (type === 'IntentRecorded') {
    if (state.status !== 'absent') throw corrupt()
    return { status: 'waiting', details: data, detachedFrom: [], attempts: 0, bystandings: 0 }
  }
  if (state.status === 'absent') throw corrupt()
  const { details, detachedFrom, attempts, bystandings } = state
  const known = { details, detachedFrom, attempts, bystandings }
  const isLive = state.status === 'waiting' || state.status === 'attached'
  switch (type) {
    case 'IntentAttached':
      if (state.status !== 'waiting') throw corrupt()
      return { ...known, status: 'attached', ...data }
    case 'IntentDetached':
      return letGo(state, data)
    case 'IntentSettled':
      if (!isLive) throw corrupt()
      return { ...known, status: 'settled', end: { _tag: 'settled', ...data } }
    case 'IntentRefused':
      if (!isLive) throw corrupt()
      return { ...known, status: 'refused', end: { _tag: 'refused', ...data } }
    case 'IntentGivenUp':
      if (state.status !== 'waiting') throw corrupt()
      return { ...known, status: 'given_up', end: { _tag: 'given_up', ...data } }
    case 'IntentReported':
      if (state.status === 'waiting' || state.status === 'attached') throw corrupt()
      return { ...state, status: 'reported' }
  }
}

/** Back to waiting, where it stands in that transaction; elsewhere only the fence is new. */
const letGo = (
  state: Waiting | Attached | Ended,
  { transactionHash, reason }: Extract<IntentEvent, { readonly type: 'IntentDetached' }>['data'],
): IntentState => {
  const detachedFrom = [...state.detachedFrom, transactionHash]
  if (state.status !== 'attached' || state.transactionHash !== transactionHash) return { ...state, detachedFrom }
  const { details, attempts, bystandings } = state
  const waiting = { status: 'waiting' as const, details, detachedFrom, attempts, bystandings }
  switch (reason) {
    case 'withdrawn':
      return waiting
    case 'another_failed':
      return { ...waiting, bystandings: bystandings + 1 }
    case 'dead':
    case 'transaction_failed':
      return { ...waiting, attempts: attempts + 1 }
  }
}
