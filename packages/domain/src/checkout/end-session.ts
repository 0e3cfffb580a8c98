import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { UnixMs } from '../shared/units.ts'
import type { EndSession, FailSession } from './commands.ts'
import { type Decision, notOpen, reject } from './decision.ts'
import type { CheckoutFailureReason } from './events.ts'
import { type CheckoutRecord, type Ending, type Open, transactionsInFlight } from './state.ts'

/**
 * How a session ends that nothing completed: value that came by its deadline but could not be applied makes it fail.
 * What closed at the deadline or later was set aside too, but came to a session that was over.
 */
export const ending = (state: Open, endedAt: UnixMs): Ending => {
  const { details, accepted, setAside, refusedEnrolments, paymentId } = state
  const failed = (reason: CheckoutFailureReason): Ending => ({
    type: 'CheckoutFailed',
    data: { reason, paymentId, endedAt },
  })
  const isInTime = ({ closedAt }: { readonly closedAt: UnixMs }) => closedAt < details.expiresAt
  const inTime = setAside.filter(({ credit }) => isInTime(credit))
  if (accepted.length > 0) return failed('underpaid')
  const isUnauthorized = inTime.some(({ reason }) => reason === 'authorization_failed')
  if (isUnauthorized || refusedEnrolments.some(isInTime)) return failed('authorization_failed')
  if (inTime.length > 0) return failed('wrong_asset')
  return { type: 'CheckoutExpired', data: { endedAt } }
}

/**
 * At the deadline a session waits for a relayed transaction as long as that could still be included; the merchant may
 * end it all the same, and what then arrives is late.
 */
export const endSession = ({ at, cause }: EndSession, state: CheckoutRecord): Decision => {
  if (state.status === 'expired' || state.status === 'failed') return nothing
  if (state.status !== 'open') return notOpen(state)
  const { expiresAt } = state.details
  if (cause === 'deadline') {
    if (at < expiresAt) return reject({ _tag: 'DeadlineNotReached', expiresAt })
    const awaited = transactionsInFlight(state).find(({ maxTime }) => at <= maxTime)
    if (awaited !== undefined) {
      const { transactionHash, maxTime } = awaited
      return reject({ _tag: 'TransactionInFlight', transactionHash, maxTime })
    }
  }
  return E.right([ending(state, at < expiresAt ? at : expiresAt)])
}

export const failSession = ({ at, reason }: FailSession, state: CheckoutRecord): Decision => {
  if (state.status === 'failed' && state.reason === reason) return nothing
  if (state.status !== 'open') return notOpen(state)
  return E.right([{ type: 'CheckoutFailed', data: { reason, paymentId: state.paymentId, endedAt: at } }])
}
