import { CorruptStream } from '../shared/decider.ts'
import type { IntentId } from '../shared/ids.ts'
import type { OperationIndex } from '../shared/incoming-payment.ts'
import type {
  BumpFailure,
  FeeBump,
  LedgerTransactionEvent,
  OperationReassignment,
  SubmissionRefusal,
  TransactionDeath,
  TransactionDecision,
  TransactionDetails,
  TransactionFailure,
  TransactionSuccess,
  WithdrawReason,
} from './events.ts'

/** How a transaction ended: never sent, in a closed ledger, in none, or as a person says. */
export type TransactionEnd =
  | { readonly _tag: 'withdrawn'; readonly reason: WithdrawReason }
  | ({ readonly _tag: 'succeeded' } & TransactionSuccess)
  | ({ readonly _tag: 'failed' } & TransactionFailure)
  | ({ readonly _tag: 'dead' } & TransactionDeath)
  | ({ readonly _tag: 'decided' } & TransactionDecision)

/** The end, as a ledger or an operator decided it. */
export const endedAs = (end: TransactionEnd): Exclude<TransactionEnd['_tag'], 'decided'> =>
  end._tag === 'decided' ? end.as : end._tag

/** `bumps` in the order in which they were made, each with a higher fee; `failedBumps` those that a ledger took in vain. */
type TransactionFacts = {
  readonly details: TransactionDetails
  readonly bumps: ReadonlyArray<FeeBump>
  readonly failedBumps: ReadonlyArray<BumpFailure>
}
export type Prepared = TransactionFacts & { readonly status: 'prepared' }
export type Released = TransactionFacts & { readonly status: 'released'; readonly refusal: SubmissionRefusal | null }
export type Ended = TransactionFacts & {
  readonly status: TransactionEnd['_tag'] | 'closed'
  readonly end: TransactionEnd
}
/** What the events of its stream say about an outgoing transaction. */
export type LedgerTransactionState = { readonly status: 'absent' } | Prepared | Released | Ended

type Carried = Pick<TransactionDetails, 'intents' | 'operations'>

/** The intent that an operation carries; null if it carries none. */
export const intentAt = ({ intents, operations }: Carried, operation: OperationIndex): IntentId | null =>
  intents[operations === undefined ? operation : operations.indexOf(operation)] ?? null

/** What the operations of a recovered transaction carry after one of them was given to another intent, or to none. */
export const reassigned = (
  { intents, operations = [] }: Carried,
  { operationIndex, intentId }: OperationReassignment,
): Required<Carried> => {
  const others = operations.flatMap((operation, place) => {
    const id = intents[place]
    return operation === operationIndex || id === undefined ? [] : [{ operation, id }]
  })
  const carried = intentId === null ? others : [...others, { operation: operationIndex, id: intentId }]
  return { intents: carried.map(({ id }) => id), operations: carried.map(({ operation }) => operation) }
}

export const initial: LedgerTransactionState = { status: 'absent' }

export const evolve = (
  state: LedgerTransactionState,
  { type, data }: LedgerTransactionEvent,
): LedgerTransactionState => {
  const corrupt = () => new CorruptStream(type, state.status)
  if (type === 'TransactionPrepared') {
    if (state.status !== 'absent') throw corrupt()
    return { status: 'prepared', details: data, bumps: [], failedBumps: [] }
  }
  if (state.status === 'absent') throw corrupt()
  const { details, bumps, failedBumps } = state
  const known = { details, bumps, failedBumps }
  const isOpen = state.status === 'prepared' || state.status === 'released'
  switch (type) {
    case 'TransactionReleased':
      if (state.status !== 'prepared') throw corrupt()
      return { ...known, status: 'released', refusal: null }
    case 'TransactionWithdrawn':
      if (state.status !== 'prepared') throw corrupt()
      return { ...known, status: 'withdrawn', end: { _tag: 'withdrawn', ...data } }
    case 'FeeBumped':
      if (state.status !== 'released') throw corrupt()
      return { ...state, bumps: [...bumps, data] }
    case 'FeeBumpFailed':
      if (!isOpen) throw corrupt()
      return { ...state, failedBumps: [...failedBumps, data] }
    case 'SubmissionRefused':
      if (state.status !== 'released') throw corrupt()
      return { ...state, refusal: data }
    case 'TransactionSucceeded':
      if (!isOpen) throw corrupt()
      return { ...known, status: 'succeeded', end: { _tag: 'succeeded', ...data } }
    case 'TransactionFailed':
      if (!isOpen) throw corrupt()
      return { ...known, status: 'failed', end: { _tag: 'failed', ...data } }
    case 'OperationReassigned':
      return { ...state, details: { ...details, ...reassigned(details, data) } }
    case 'TransactionDied':
      if (state.status !== 'released') throw corrupt()
      return { ...known, status: 'dead', end: { _tag: 'dead', ...data } }
    case 'TransactionDecided':
      if (state.status !== 'released' && state.status !== 'failed') throw corrupt()
      return { ...known, status: 'decided', end: { _tag: 'decided', ...data } }
    case 'TransactionClosed':
      if (isOpen) throw corrupt()
      return { ...state, status: 'closed' }
  }
}
