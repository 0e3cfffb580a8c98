import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { CancelPayout, FailPayout, PayoutCommand, RequestPayout, SettlePayout } from './commands.ts'
import type { PayoutEvent } from './events.ts'
import type { PayoutRejection } from './rejections.ts'
import type { PayoutRecord, PayoutState } from './state.ts'

type Decision = E.Either<PayoutRejection, ReadonlyArray<PayoutEvent>>

const ended = ({ status }: Exclude<PayoutRecord, { readonly status: 'pending' }>): Decision =>
  E.left({ _tag: 'PayoutHasEnded', status })

const request = ({ type: _, ...details }: RequestPayout, state: PayoutState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'PayoutRequested', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'PayoutAlreadyExists' })
}

const cancel = ({ at }: CancelPayout, state: PayoutRecord): Decision => {
  if (state.status === 'pending') return E.right([{ type: 'PayoutCanceled', data: { canceledAt: at } }])
  return state.status === 'canceled' ? nothing : ended(state)
}

const settle = ({ type: _, ...settlement }: SettlePayout, state: PayoutRecord): Decision => {
  if (state.status === 'pending') return E.right([{ type: 'PayoutSucceeded', data: settlement }])
  return state.status === 'succeeded' && isSame(state.settlement, settlement) ? nothing : ended(state)
}

const fail = ({ reason, code, at }: FailPayout, state: PayoutRecord): Decision => {
  if (state.status === 'pending') return E.right([{ type: 'PayoutFailed', data: { reason, code, failedAt: at } }])
  return state.status === 'failed' && state.reason === reason ? nothing : ended(state)
}

export const decide =
  (command: PayoutCommand) =>
  (state: PayoutState): Decision => {
    if (command.type === 'RequestPayout') return request(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'PayoutNotFound' })
    switch (command.type) {
      case 'CancelPayout':
        return cancel(command, state)
      case 'SettlePayout':
        return settle(command, state)
      case 'FailPayout':
        return fail(command, state)
    }
  }
