import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type {
  AttachIntent,
  DetachIntent,
  GiveUpIntent,
  IntentCommand,
  RecordIntent,
  RecoverIntent,
  SettleIntent,
} from './commands.ts'
import type { IntentEvent } from './events.ts'
import type { IntentRejection } from './rejections.ts'
import { type Ended, type IntentRecord, type IntentState, isExhausted } from './state.ts'

type Decision = E.Either<IntentRejection, ReadonlyArray<IntentEvent>>

const ended = ({ status }: Ended): Decision => E.left({ _tag: 'IntentHasEnded', status })

const record = ({ type: _, ...details }: RecordIntent, state: IntentState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'IntentRecorded', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'IntentAlreadyRecorded', details: state.details })
}

const attach = ({ transactionHash, operationIndex }: AttachIntent, state: IntentRecord): Decision => {
  switch (state.status) {
    case 'waiting':
      return state.detachedFrom.includes(transactionHash)
        ? E.left({ _tag: 'IntentWasDetached', transactionHash })
        : E.right([{ type: 'IntentAttached', data: { transactionHash, operationIndex } }])
    case 'attached':
      return state.attachedTo === transactionHash && state.operationIndex === operationIndex
        ? nothing
        : E.left({ _tag: 'IntentIsAttached', transactionHash: state.attachedTo })
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported':
      return ended(state)
  }
}

/** Also where it is not attached: a late step must not attach it any more. */
const detach = ({ transactionHash, reason }: DetachIntent, state: IntentRecord): Decision => {
  const isOver = state.status !== 'waiting' && state.status !== 'attached'
  if (isOver || state.detachedFrom.includes(transactionHash)) return nothing
  return E.right([{ type: 'IntentDetached', data: { transactionHash, reason } }])
}

/**
 * Only by the transaction that carries it. A waiting intent may have been carried too, where the log was restored to a point
 * before it was attached: what a closed ledger holds is a fact.
 */
const endInLedger = (
  { attachedTo, transactionHash, operationIndex, ledger, closedAt }: Omit<SettleIntent, 'type'>,
  state: IntentRecord,
  event: (place: Extract<IntentEvent, { readonly type: 'IntentSettled' }>['data']) => IntentEvent,
): Decision => {
  const told = event({ transactionHash, operationIndex, ledger, closedAt })
  switch (state.status) {
    case 'waiting':
      return state.detachedFrom.includes(attachedTo)
        ? E.left({ _tag: 'IntentWasDetached', transactionHash: attachedTo })
        : E.right([told])
    case 'attached':
      return state.attachedTo === attachedTo && state.operationIndex === operationIndex
        ? E.right([told])
        : E.left({ _tag: 'IntentIsAttached', transactionHash: state.attachedTo })
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported': {
      const end = { _tag: told.type === 'IntentSettled' ? 'settled' : 'refused', ...told.data }
      return isSame(end, state.end) ? nothing : ended(state)
    }
  }
}

/**
 * Also where the log says that another transaction carries it: that one was made before, and is dead, since an intent is
 * free for another transaction only then.
 */
const recover = ({ type: _, attachedTo, operationIndex, ...place }: RecoverIntent, state: IntentRecord): Decision => {
  const attached: IntentEvent = { type: 'IntentAttached', data: { transactionHash: attachedTo, operationIndex } }
  const settled: IntentEvent = { type: 'IntentSettled', data: { ...place, operationIndex } }
  switch (state.status) {
    case 'waiting':
      return E.right([attached, settled])
    case 'attached':
      return state.attachedTo === attachedTo
        ? E.right([settled])
        : E.right([
            { type: 'IntentDetached', data: { transactionHash: state.attachedTo, reason: 'dead' } },
            attached,
            settled,
          ])
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported':
      return isSame({ _tag: 'settled', ...settled.data }, state.end) ? nothing : ended(state)
  }
}

const giveUp = ({ type: _, ...data }: GiveUpIntent, state: IntentRecord): Decision => {
  switch (state.status) {
    case 'waiting':
      if (data.reason === 'attempts_exhausted' && !isExhausted(state)) return E.left({ _tag: 'AttemptsNotExhausted' })
      return E.right([{ type: 'IntentGivenUp', data }])
    case 'attached':
      return E.left({ _tag: 'IntentIsAttached', transactionHash: state.attachedTo })
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported':
      return state.end._tag === 'given_up' ? nothing : ended(state)
  }
}

const report = (state: IntentRecord): Decision => {
  switch (state.status) {
    case 'waiting':
    case 'attached':
      return E.left({ _tag: 'IntentNotEnded' })
    case 'settled':
    case 'refused':
    case 'given_up':
      return E.right([{ type: 'IntentReported', data: {} }])
    case 'reported':
      return nothing
  }
}

export const decide =
  (command: IntentCommand) =>
  (state: IntentState): Decision => {
    if (command.type === 'RecordIntent') return record(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'IntentNotFound' })
    switch (command.type) {
      case 'AttachIntent':
        return attach(command, state)
      case 'DetachIntent':
        return detach(command, state)
      case 'SettleIntent':
        return endInLedger(command, state, (data) => ({ type: 'IntentSettled', data }))
      case 'RefuseIntent':
        return endInLedger(command, state, (data) => ({
          type: 'IntentRefused',
          data: { ...data, code: command.code },
        }))
      case 'RecoverIntent':
        return recover(command, state)
      case 'GiveUpIntent':
        return giveUp(command, state)
      case 'ReportIntent':
        return report(state)
    }
  }
