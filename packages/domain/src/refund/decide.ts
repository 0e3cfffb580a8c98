import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type {
  CancelRefund,
  EndRefundWait,
  FailRefund,
  PostponeRefund,
  RefundCommand,
  RequestRefund,
  SettleRefund,
} from './commands.ts'
import type { RefundEvent } from './events.ts'
import type { RefundRejection } from './rejections.ts'
import type { RefundRecord, RefundState } from './state.ts'

type Decision = E.Either<RefundRejection, ReadonlyArray<RefundEvent>>

const ended = (state: Exclude<RefundRecord, { readonly status: 'pending' }>): Decision =>
  E.left(
    state.status === 'succeeded'
      ? { _tag: 'RefundIsSucceeded', transactionHash: state.settlement.transactionHash }
      : { _tag: 'RefundIsFailed', reason: state.reason },
  )

const request = ({ type: _, ...details }: RequestRefund, state: RefundState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'RefundRequested', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'RefundAlreadyExists' })
}

const postpone = ({ sendsAt }: PostponeRefund, state: RefundRecord): Decision => {
  if (state.status !== 'pending') return ended(state)
  if (state.sendsAt === null) return E.left({ _tag: 'RefundNotWaiting' })
  return state.sendsAt >= sendsAt ? nothing : E.right([{ type: 'RefundPostponed', data: { sendsAt } }])
}

const endWait = ({ at }: EndRefundWait, state: RefundRecord): Decision => {
  if (state.status !== 'pending') return ended(state)
  if (state.sendsAt === null) return nothing
  return at < state.sendsAt
    ? E.left({ _tag: 'RefundWaits', sendsAt: state.sendsAt })
    : E.right([{ type: 'RefundWaitEnded', data: {} }])
}

const cancel = ({ at }: CancelRefund, state: RefundRecord): Decision =>
  state.status === 'pending' && state.sendsAt === null
    ? E.left({ _tag: 'RefundNotWaiting' })
    : fail({ type: 'FailRefund', reason: 'canceled', code: null, at }, state)

const settle = ({ type: _, ...settlement }: SettleRefund, state: RefundRecord): Decision => {
  if (state.status === 'pending') return E.right([{ type: 'RefundSucceeded', data: settlement }])
  return state.status === 'succeeded' && isSame(state.settlement, settlement) ? nothing : ended(state)
}

const fail = ({ reason, code, at }: FailRefund, state: RefundRecord): Decision => {
  if (state.status === 'pending') return E.right([{ type: 'RefundFailed', data: { reason, code, failedAt: at } }])
  return state.status === 'failed' && state.reason === reason ? nothing : ended(state)
}

export const decide =
  (command: RefundCommand) =>
  (state: RefundState): Decision => {
    if (command.type === 'RequestRefund') return request(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'RefundNotFound' })
    switch (command.type) {
      case 'PostponeRefund':
        return postpone(command, state)
      case 'EndRefundWait':
        return endWait(command, state)
      case 'CancelRefund':
        return cancel(command, state)
      case 'SettleRefund':
        return settle(command, state)
      case 'FailRefund':
        return fail(command, state)
    }
  }
