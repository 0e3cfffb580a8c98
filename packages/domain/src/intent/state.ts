import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { Count, count } from '../shared/units.ts'
import { type DetachReason, GiveUpReason, IntentDetails, type IntentEvent, inLedger } from './events.ts'

/** How an intent ended, as its owner hears it. */
export const IntentEnd = t.union([
  strict({ _tag: t.literal('settled'), ...inLedger }),
  strict({ _tag: t.literal('refused'), ...inLedger, code: Text }),
  t.intersection([strict({ _tag: t.literal('given_up'), reason: GiveUpReason }), partial({ code: Text })]),
])
export type IntentEnd = t.TypeOf<typeof IntentEnd>

/**
 * `attachedTo` is the transaction that carries it, or carried it to its end. `detachedFrom`: the transactions that can
 * never carry it. `attempts` counts those that died or failed as a whole, one after the other; `collateralFailures` those
 * that failed by the operation of another intent.
 */
const intent = {
  details: IntentDetails,
  attachedTo: orNull(TransactionHash),
  detachedFrom: t.readonlyArray(TransactionHash),
  attempts: Count,
  collateralFailures: Count,
}
const ended = { ...intent, end: IntentEnd }
/** What is kept of an intent once it exists. */
export const IntentRecord = byStatus(
  {
    waiting: intent,
    attached: { ...intent, attachedTo: TransactionHash, operationIndex: OperationIndex },
    settled: ended,
    refused: ended,
    given_up: ended,
    reported: ended,
  },
  'IntentRecord',
)
export type IntentRecord = t.TypeOf<typeof IntentRecord>
export type Ended = Extract<IntentRecord, { readonly end: IntentEnd }>
/** What the events of its stream say about an intent. */
export type IntentState = { readonly status: 'absent' } | IntentRecord

/** How an intent ended; null while it has not. */
export const endOf = (intent: IntentRecord): IntentEnd | null => ('end' in intent ? intent.end : null)

export const initial: IntentState = { status: 'absent' }

/** After so many transactions in a row that died or failed, something is wrong that sending does not cure. */
const mostAttempts = 5

/** Whether an intent has no attempt left. */
export const isExhausted = ({ attempts }: IntentRecord): boolean => attempts >= mostAttempts

export const evolve = (state: IntentState, { type, data }: IntentEvent): IntentState => {
  const corrupt = () => new CorruptStream(type, state.status)
  if (type === 'IntentRecorded') {
    if (state.status !== 'absent') throw corrupt()
    const none = { attempts: count(0), collateralFailures: count(0) }
    return { status: 'waiting', details: data, attachedTo: null, detachedFrom: [], ...none }
  }
  if (state.status === 'absent') throw corrupt()
  const { details, attachedTo, detachedFrom, attempts, collateralFailures } = state
  const known = { details, attachedTo, detachedFrom, attempts, collateralFailures }
  const isLive = state.status === 'waiting' || state.status === 'attached'
  switch (type) {
    case 'IntentAttached': {
      if (state.status !== 'waiting') throw corrupt()
      const { transactionHash, operationIndex } = data
      return { ...known, status: 'attached', attachedTo: transactionHash, operationIndex }
    }
    case 'IntentDetached': {
      const { transactionHash, reason } = data
      const fenced = [...detachedFrom, transactionHash]
      // Where it does not stand in that transaction, only the fence is new.
      if (state.status !== 'attached' || attachedTo !== transactionHash) return { ...state, detachedFrom: fenced }
      const failures = afterFailure(state, reason)
      return { status: 'waiting', details, attachedTo: null, detachedFrom: fenced, ...failures }
    }
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

const afterFailure = (
  { attempts, collateralFailures }: IntentRecord,
  reason: DetachReason,
): Pick<IntentRecord, 'attempts' | 'collateralFailures'> => {
  switch (reason) {
    case 'withdrawn':
      return { attempts, collateralFailures }
    case 'another_failed':
      return { attempts, collateralFailures: count(collateralFailures + 1) }
    case 'dead':
    case 'transaction_failed':
      return { attempts: count(attempts + 1), collateralFailures }
  }
}
