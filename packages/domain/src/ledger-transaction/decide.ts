import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type {
  BumpFee,
  DecideEnd,
  LedgerTransactionCommand,
  PrepareTransaction,
  ReassignOperation,
  RecordBumpFailure,
  RecordRefusal,
  WithdrawTransaction,
} from './commands.ts'
import type { LedgerTransactionEvent } from './events.ts'
import type { LedgerTransactionRejection } from './rejections.ts'
import {
  type Ended,
  endedAs,
  intentAt,
  type LedgerTransactionState,
  type Prepared,
  type Released,
  type TransactionEnd,
} from './state.ts'

type Decision = E.Either<LedgerTransactionRejection, ReadonlyArray<LedgerTransactionEvent>>
type Existing = Prepared | Released | Ended

const notReleased: Decision = E.left({ _tag: 'TransactionNotReleased' })
const ended = ({ end }: Ended): Decision => E.left({ _tag: 'TransactionHasEnded', end: end._tag })

const prepare = ({ type: _, ...details }: PrepareTransaction, state: LedgerTransactionState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'TransactionPrepared', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'TransactionAlreadyPrepared' })
}

/** Only this decides whether it is released or withdrawn: the bytes of a withdrawn transaction never leave. */
const release = (state: Existing): Decision => {
  if (state.status === 'prepared') return E.right([{ type: 'TransactionReleased', data: {} }])
  if (state.status === 'released') return nothing
  return state.end._tag === 'withdrawn' ? ended(state) : nothing
}

const withdraw = ({ reason }: WithdrawTransaction, state: Existing): Decision => {
  if (state.status === 'prepared') return E.right([{ type: 'TransactionWithdrawn', data: { reason } }])
  if (state.status === 'released') return E.left({ _tag: 'TransactionIsReleased' })
  return state.end._tag === 'withdrawn' ? nothing : ended(state)
}

const bump = ({ type: _, replaces, ...data }: BumpFee, state: Existing): Decision => {
  if (state.status === 'prepared') return notReleased
  if (state.bumps.some(({ transactionHash }) => transactionHash === data.transactionHash)) return nothing
  if (state.status !== 'released') return ended(state)
  if (state.refusal !== null) return E.left({ _tag: 'TransactionIsRefused' })
  const { fee, feeCap } = state.details
  const newest = state.bumps.at(-1)
  if (newest !== undefined && newest.transactionHash !== replaces)
    return E.left({ _tag: 'FeeBumpedMeanwhile', transactionHash: newest.transactionHash })
  const bid = newest?.fee ?? fee
  if (data.fee <= bid) return E.left({ _tag: 'FeeNotHigher', fee: bid })
  return data.fee > feeCap ? E.left({ _tag: 'FeeAboveCap', feeCap }) : E.right([{ type: 'FeeBumped', data }])
}

/** The first refusal is enough. One that comes after the end says nothing. */
const refuse = ({ type: _, ...data }: RecordRefusal, state: Existing): Decision => {
  if (state.status === 'prepared') return notReleased
  if (state.status === 'released')
    return state.refusal === null ? E.right([{ type: 'SubmissionRefused', data }]) : nothing
  return state.end._tag === 'withdrawn' ? ended(state) : nothing
}

/** What a ledger has taken for it is a fact, as its end is. */
const bumpFailed = ({ type: _, ...data }: RecordBumpFailure, state: Existing): Decision => {
  if (state.failedBumps.some((each) => isSame(each, data))) return nothing
  const isOpen = state.status === 'prepared' || state.status === 'released'
  return isOpen ? E.right([{ type: 'FeeBumpFailed', data }]) : ended(state)
}

/** Also of a transaction that counts as unsent: what a closed ledger holds is a fact, and a log may be restored. */
const endInLedger = (end: TransactionEnd, event: LedgerTransactionEvent, state: Existing): Decision => {
  if (state.status === 'prepared' || state.status === 'released') return E.right([event])
  const isAsDecided = state.end._tag === 'decided' && state.end.as === end._tag
  return isAsDecided || isSame(state.end, end) ? nothing : ended(state)
}

const reassign = ({ operationIndex, from, to }: ReassignOperation, { details }: Existing): Decision => {
  const assigned = intentAt(details, operationIndex)
  if (assigned === to) return nothing
  if (assigned !== from || details.operations === undefined) return E.left({ _tag: 'OperationNotAssigned' })
  return E.right([{ type: 'OperationReassigned', data: { operationIndex, intentId: to } }])
}

/** Also of a failure that is recorded and not yet acted upon: its ledger may turn out to be none of the network's. */
const decideEnd = ({ type: _, ...data }: DecideEnd, state: Existing): Decision => {
  if (state.status === 'prepared') return notReleased
  if (state.status === 'released' || state.status === 'failed') return E.right([{ type: 'TransactionDecided', data }])
  return state.end._tag === 'decided' && state.end.as === data.as ? nothing : ended(state)
}

const die = (event: Extract<LedgerTransactionEvent, { type: 'TransactionDied' }>, state: Existing): Decision => {
  if (state.status === 'prepared') return notReleased
  if (state.status === 'released') return E.right([event])
  return endedAs(state.end) === 'dead' ? nothing : ended(state)
}

const close = (state: Existing): Decision => {
  if (state.status === 'prepared' || state.status === 'released') return E.left({ _tag: 'TransactionNotEnded' })
  return state.status === 'closed' ? nothing : E.right([{ type: 'TransactionClosed', data: {} }])
}

export const decide =
  (command: LedgerTransactionCommand) =>
  (state: LedgerTransactionState): Decision => {
    if (command.type === 'PrepareTransaction') return prepare(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'TransactionNotFound' })
    switch (command.type) {
      case 'ReleaseTransaction':
        return release(state)
      case 'WithdrawTransaction':
        return withdraw(command, state)
      case 'BumpFee':
        return bump(command, state)
      case 'RecordRefusal':
        return refuse(command, state)
      case 'RecordBumpFailure':
        return bumpFailed(command, state)
      case 'RecordSuccess': {
        const { type: _, ...data } = command
        return endInLedger({ _tag: 'succeeded', ...data }, { type: 'TransactionSucceeded', data }, state)
      }
      case 'RecordFailure': {
        const { type: _, ...data } = command
        return endInLedger({ _tag: 'failed', ...data }, { type: 'TransactionFailed', data }, state)
      }
      case 'ReassignOperation':
        return reassign(command, state)
      case 'RecordDeath': {
        const { type: _, ...data } = command
        return die({ type: 'TransactionDied', data }, state)
      }
      case 'DecideEnd':
        return decideEnd(command, state)
      case 'CloseTransaction':
        return close(state)
    }
  }
