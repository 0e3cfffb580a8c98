import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { ReturnId } from '../shared/ids.ts'
import { asText, type Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type {
  AcceptException,
  CancelReturn,
  EndForReset,
  EndReturnWait,
  ExceptionCommand,
  FailReturn,
  KeepHold,
  OpenException,
  PostponeReturn,
  ReleaseHold,
  SettleApplication,
  SettleReturn,
  StartApplication,
  StartReturn,
} from './commands.ts'
import type { ExceptionEvent } from './events.ts'
import type { ExceptionRejection } from './rejections.ts'
import { type ExceptionRecord, type ExceptionState, isHeldForOperator } from './state.ts'

/** Who decides for the operator. No key of a merchant has this id. */
export const operatorActor = asText('operator')

type Decision = E.Either<ExceptionRejection, ReadonlyArray<ExceptionEvent>>

/** Why nothing else can be done with it now. */
const taken = (state: Exclude<ExceptionRecord, { readonly status: 'open' }>): Decision => {
  switch (state.status) {
    case 'returning':
    case 'returned':
      return E.left({ _tag: 'ReturnUnderWay', returnId: state.moneyReturn.returnId })
    case 'applying':
      return E.left({ _tag: 'ApplicationUnderWay', checkoutId: state.application.checkoutId })
    case 'resolved':
      return E.left({ _tag: 'ExceptionIsResolved', action: state.resolution.action })
  }
}

const open = ({ type: _, ...details }: OpenException, state: ExceptionState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'ExceptionOpened', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'ExceptionAlreadyOpen', details: state.details })
}

const startReturn = ({ type: _, ...moneyReturn }: StartReturn, state: ExceptionRecord): Decision => {
  const { returnId } = moneyReturn
  if (state.status === 'returning' && state.moneyReturn.returnId === returnId) return nothing
  if (state.status !== 'open') return taken(state)
  const { details, failedReturns } = state
  if (isOthers(moneyReturn.actor, state)) return E.left({ _tag: 'HeldForOperator' })
  if (failedReturns.includes(returnId)) return E.left({ _tag: 'ReturnNotStarted', returnId })
  if (details.kind === 'unexplained') return E.left({ _tag: 'NotReturnable', kind: details.kind })
  return E.right([{ type: 'ReturnStarted', data: moneyReturn }])
}

const postponeReturn = ({ returnId, sendsAt }: PostponeReturn, state: ExceptionRecord): Decision => {
  const known = waitOf(state, returnId)
  if (E.isLeft(known)) return known
  if (known.right === null) return E.left({ _tag: 'ReturnNotWaiting' })
  return known.right >= sendsAt ? nothing : E.right([{ type: 'ReturnPostponed', data: { returnId, sendsAt } }])
}

const endReturnWait = ({ returnId, at }: EndReturnWait, state: ExceptionRecord): Decision => {
  const known = waitOf(state, returnId)
  if (E.isLeft(known)) return known
  if (known.right === null) return nothing
  return at < known.right
    ? E.left({ _tag: 'ReturnWaits', sendsAt: known.right })
    : E.right([{ type: 'ReturnWaitEnded', data: { returnId } }])
}

/** Until when a return waits; null once it is on its way. */
const waitOf = (state: ExceptionRecord, returnId: ReturnId): E.Either<ExceptionRejection, UnixMs | null> =>
  state.status === 'returning' && state.moneyReturn.returnId === returnId
    ? E.right(state.moneyReturn.sendsAt ?? null)
    : E.left({ _tag: 'ReturnNotStarted', returnId })

const cancelReturn = ({ at }: CancelReturn, state: ExceptionRecord): Decision => {
  if (state.status === 'open' && state.undecided === 'return_canceled') return nothing
  if (state.status !== 'returning' || state.moneyReturn.sendsAt === undefined)
    return E.left({ _tag: 'ReturnNotWaiting' })
  const { returnId } = state.moneyReturn
  const canceled = { returnId, reason: 'return_canceled' as const, code: asText('canceled'), failedAt: at }
  return E.right([{ type: 'ReturnFailed', data: canceled }])
}

/** With its return the exception has ended, at the close of the ledger that holds it. */
const settleReturn = ({ type: _, ...end }: SettleReturn, state: ExceptionRecord): Decision => {
  const { returnId } = end
  if (state.status === 'resolved' && state.by === returnId) return nothing
  if (state.status !== 'returning' || state.moneyReturn.returnId !== returnId)
    return E.left({ _tag: 'ReturnNotStarted', returnId })
  const { actor, note } = state.moneyReturn
  return E.right([
    { type: 'ExceptionReturned', data: end },
    { type: 'ExceptionResolved', data: { action: 'refund', actor, note, resolvedAt: end.closedAt } },
  ])
}

const failReturn = ({ returnId, reason, code, at }: FailReturn, state: ExceptionRecord): Decision => {
  if (state.failedReturns.includes(returnId)) return nothing
  if (state.status !== 'returning' || state.moneyReturn.returnId !== returnId)
    return E.left({ _tag: 'ReturnNotStarted', returnId })
  return E.right([{ type: 'ReturnFailed', data: { returnId, reason, code, failedAt: at } }])
}

const startApplication = ({ type: _, ...application }: StartApplication, state: ExceptionRecord): Decision => {
  if (state.status !== 'open') return taken(state)
  if (isOthers(application.actor, state)) return E.left({ _tag: 'HeldForOperator' })
  const { kind } = state.details
  if (kind === 'overpaid' || kind === 'unexplained') return E.left({ _tag: 'NotApplicable', kind })
  return E.right([{ type: 'ApplicationStarted', data: application }])
}

const settleApplication = ({ checkoutId, at }: SettleApplication, state: ExceptionRecord): Decision => {
  if (state.status === 'resolved' && state.by === checkoutId) return nothing
  if (state.status !== 'applying' || state.application.checkoutId !== checkoutId)
    return E.left({ _tag: 'ApplicationNotStarted', checkoutId })
  const { actor, note } = state.application
  return E.right([{ type: 'ExceptionResolved', data: { action: 'apply', actor, note, resolvedAt: at } }])
}

const accept = ({ actor, note, at }: AcceptException, state: ExceptionRecord): Decision => {
  if (state.status !== 'open') return taken(state)
  if (isOthers(actor, state)) return E.left({ _tag: 'HeldForOperator' })
  return E.right([{ type: 'ExceptionResolved', data: { action: 'accept', actor, note, resolvedAt: at } }])
}

/** Whatever is under way: nothing of it can be paid or counted any more. */
const endForReset = ({ at }: EndForReset, state: ExceptionRecord): Decision => {
  const note = asText('network_reset')
  const resolved: ExceptionEvent = {
    type: 'ExceptionResolved',
    data: { action: 'accept', actor: operatorActor, note, resolvedAt: at },
  }
  switch (state.status) {
    case 'open':
    case 'applying':
      return E.right([resolved])
    case 'returning': {
      const { returnId } = state.moneyReturn
      const failed = { returnId, reason: 'network_reset' as const, code: note, failedAt: at }
      return E.right([{ type: 'ReturnFailed', data: failed }, resolved])
    }
    case 'returned':
    case 'resolved':
      return nothing
  }
}

/** Whether the operator decides, and not the actor. */
const isOthers = (actor: Text, state: ExceptionRecord): boolean => isHeldForOperator(state) && actor !== operatorActor

const changeHold = ({ type, ...data }: ReleaseHold | KeepHold, state: ExceptionRecord): Decision => {
  if (state.status !== 'open') return taken(state)
  const [as, reason] =
    type === 'KeepHold' ? (['HoldKept', 'screening_kept'] as const) : (['HoldReleased', 'screening_cleared'] as const)
  if (state.undecided === reason) return nothing
  return isHeldForOperator(state) ? E.right([{ type: as, data }]) : E.left({ _tag: 'NotHeld' })
}

export const decide =
  (command: ExceptionCommand) =>
  (state: ExceptionState): Decision => {
    if (command.type === 'OpenException') return open(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'ExceptionNotFound' })
    switch (command.type) {
      case 'LeaveToPerson': {
        if (state.status !== 'open') return taken(state)
        const { reason } = command
        return state.undecided === null ? E.right([{ type: 'ExceptionLeftToPerson', data: { reason } }]) : nothing
      }
      case 'StartReturn':
        return startReturn(command, state)
      case 'PostponeReturn':
        return postponeReturn(command, state)
      case 'EndReturnWait':
        return endReturnWait(command, state)
      case 'CancelReturn':
        return cancelReturn(command, state)
      case 'SettleReturn':
        return settleReturn(command, state)
      case 'FailReturn':
        return failReturn(command, state)
      case 'StartApplication':
        return startApplication(command, state)
      case 'SettleApplication':
        return settleApplication(command, state)
      case 'AcceptException':
        return accept(command, state)
      case 'EndForReset':
        return endForReset(command, state)
      case 'ReleaseHold':
      case 'KeepHold':
        return changeHold(command, state)
    }
  }
