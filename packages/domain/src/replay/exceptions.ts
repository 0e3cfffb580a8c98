import type { Exception } from '../exception/index.ts'
import type { Behind } from './behind.ts'

type Explain = Behind<typeof Exception>

export const behindException: Explain = (state, { type, data }, _, at) => {
  switch (type) {
    case 'ExceptionOpened':
      return [{ type: 'OpenException', ...data }]
    case 'ExceptionLeftToPerson':
      return [{ type: 'LeaveToPerson', ...data }]
    case 'ReturnStarted':
      return [{ type: 'StartReturn', ...data }]
    case 'ReturnPostponed':
      return [{ type: 'PostponeReturn', ...data }]
    case 'ReturnWaitEnded':
      return [{ type: 'EndReturnWait', ...data, at }]
    case 'ReturnFailed': {
      const { failedAt, ...failure } = data
      return [
        { type: 'FailReturn', ...failure, at: failedAt },
        { type: 'CancelReturn', at: failedAt },
        { type: 'EndForReset', at: failedAt },
      ]
    }
    case 'ExceptionReturned':
      return [{ type: 'SettleReturn', ...data }]
    case 'ApplicationStarted':
      return [{ type: 'StartApplication', ...data }]
    case 'HoldReleased':
      return [{ type: 'ReleaseHold', ...data }]
    case 'HoldKept':
      return [{ type: 'KeepHold', ...data }]
    case 'ExceptionResolved':
      return resolving(state, data)
  }
}

type Resolution = Extract<Parameters<Explain>[1], { readonly type: 'ExceptionResolved' }>['data']

const resolving = (
  state: Parameters<Explain>[0],
  { action, actor, note, resolvedAt: at }: Resolution,
): ReturnType<Explain> => {
  const reset = { type: 'EndForReset', at } as const
  switch (action) {
    case 'accept':
      return [{ type: 'AcceptException', actor, note, at }, reset]
    case 'apply':
      return state.status === 'applying'
        ? [{ type: 'SettleApplication', checkoutId: state.application.checkoutId, at }]
        : []
    case 'refund':
      return []
  }
}
