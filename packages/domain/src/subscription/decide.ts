import * as E from 'fp-ts/lib/Either.js'
import { isSame } from '../shared/equality.ts'
import { count, dayMs, secondMs, unixMs } from '../shared/units.ts'
import { announceRenewal, announceTrialEnd } from './announcing.ts'
import {
  announceExpiry,
  changeWallet,
  offerAuthorization,
  recordAllowance,
  recordMandateCancellation,
  recordMandateEnd,
  replaceMandate,
  requestAuthorization,
  requestMigration,
  withdrawMigration,
} from './authorization.ts'
import { cancel, cancelForDeletedCustomer, endAtBoundary, endWithNetwork, undoCancellation } from './canceling.ts'
import { allowAttempts, attemptCharge, handOverCharge } from './charging.ts'
import type { StartSubscription, SubscriptionCommand } from './commands.ts'
import { confirmCharge, settleInvoice } from './confirming.ts'
import type { Decision as LaterDecision } from './decision.ts'
import { becomeOverdue, cancelUnpaid, giveFinalNotice, requestRetry } from './dunning.ts'
import { endAccess } from './entitlement.ts'
import type { SubscriptionEvent } from './events.ts'
import { alarmOperator, delayCharge, failCharge } from './failing.ts'
import { pause, resume } from './pausing.ts'
import { periodOf } from './period.ts'
import { announcePriceChange, applyPriceChange, dropPriceChange, endingPriceChange } from './price-changing.ts'
import { recoverAttempt } from './recovering.ts'
import type { SubscriptionRejection } from './rejections.ts'
import type { SubscriptionRecord, SubscriptionState } from './state.ts'
import { changeMetadata, swapProduct } from './swapping.ts'
import { endUnsettled } from './unsettled.ts'

type Decision = E.Either<SubscriptionRejection, ReadonlyArray<SubscriptionEvent>>

/** Period 0 is the trial, after whose end the paid periods are counted, or the first paid period itself. */
const start = ({ type: _, ...details }: StartSubscription, state: SubscriptionState): Decision => {
  if (state.status !== 'absent') {
    return isSame(state.details, details) ? E.right([]) : E.left({ _tag: 'SubscriptionAlreadyExists' })
  }
  const { startedAt, trialDays, firstPaymentId, terms } = details
  const hasTrial = trialDays > 0
  if (hasTrial !== (firstPaymentId === null) || startedAt % secondMs !== 0) return E.left({ _tag: 'StartMismatch' })
  const trialEnd = unixMs(startedAt + trialDays * dayMs)
  const anchor = hasTrial ? { at: trialEnd, n: count(1) } : { at: startedAt, n: count(0) }
  const period = hasTrial ? { start: startedAt, end: trialEnd } : periodOf(anchor, terms, 0)
  return E.right([{ type: 'SubscriptionStarted', data: { details, period, anchor } }])
}

type LaterCommand = Exclude<SubscriptionCommand, StartSubscription>

const decideExisting = (command: LaterCommand, state: SubscriptionRecord): LaterDecision => {
  switch (command.type) {
    case 'AnnounceTrialEnd':
      return announceTrialEnd(command, state)
    case 'AnnounceRenewal':
      return announceRenewal(command, state)
    case 'AttemptCharge':
      return attemptCharge(command, state)
    case 'RecoverAttempt':
      return recoverAttempt(command, state)
    case 'HandOverCharge':
      return handOverCharge(command, state)
    case 'ConfirmCharge':
      return confirmCharge(command, state)
    case 'FailCharge':
      return failCharge(command, state)
    case 'DelayCharge':
      return delayCharge(command, state)
    case 'EndUnsettled':
      return endUnsettled(command, state)
    case 'AllowAttempts':
      return allowAttempts(command, state)
    case 'AlarmOperator':
      return alarmOperator(command, state)
    case 'RequestRetry':
      return requestRetry(command, state)
    case 'EndAccess':
      return endAccess(command, state)
    case 'GiveFinalNotice':
      return giveFinalNotice(command, state)
    case 'BecomeOverdue':
      return becomeOverdue(command, state)
    case 'SettleInvoice':
      return settleInvoice(command, state)
    case 'CancelUnpaid':
      return cancelUnpaid(command, state)
    case 'Pause':
      return pause(command, state)
    case 'Resume':
      return resume(command, state)
    case 'Cancel':
      return cancel(command, state)
    case 'CancelForDeletedCustomer':
      return cancelForDeletedCustomer(command, state)
    case 'EndWithNetwork':
      return endWithNetwork(command, state)
    case 'UndoCancellation':
      return undoCancellation(command, state)
    case 'EndAtBoundary':
      return endAtBoundary(command, state)
    case 'RecordMandateCancellation':
      return recordMandateCancellation(command, state)
    case 'RecordMandateEnd':
      return recordMandateEnd(command, state)
    case 'RequestAuthorization':
      return requestAuthorization(command, state)
    case 'ChangeWallet':
      return changeWallet(command, state)
    case 'RequestMigration':
      return requestMigration(command, state)
    case 'OfferAuthorization':
      return offerAuthorization(command, state)
    case 'WithdrawMigration':
      return withdrawMigration(command, state)
    case 'ReplaceMandate':
      return replaceMandate(command, state)
    case 'RecordAllowance':
      return recordAllowance(command, state)
    case 'AnnounceExpiry':
      return announceExpiry(command, state)
    case 'SwapProduct':
      return swapProduct(command, state)
    case 'AnnouncePriceChange':
      return announcePriceChange(command, state)
    case 'ApplyPriceChange':
      return applyPriceChange(command, state)
    case 'DropPriceChange':
      return dropPriceChange(command, state)
    case 'ChangeMetadata':
      return changeMetadata(command, state)
  }
}

export const decide =
  (command: SubscriptionCommand) =>
  (state: SubscriptionState): Decision => {
    if (command.type === 'StartSubscription') return start(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'SubscriptionNotFound' })
    const decided = decideExisting(command, state)
    return E.isLeft(decided) ? decided : E.right(endingPriceChange(state, decided.right))
  }
