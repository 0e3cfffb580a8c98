import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { count } from '../shared/units.ts'
import type {
  BeginReset,
  ComparePassedOver,
  CompleteReset,
  DisproveReset,
  FindReset,
  LeaveUncounted,
  LedgerIngestionCommand,
  PassOver,
  ResumeFollowing,
} from './commands.ts'
import type { LedgerIngestionEvent } from './events.ts'
import type { LedgerIngestionRejection } from './rejections.ts'
import { isResetPending, type LedgerIngestionState, presentEpoch, uncomparedThrough } from './state.ts'

type Decision = E.Either<LedgerIngestionRejection, ReadonlyArray<LedgerIngestionEvent>>

/**
 * Skips from the last ledger that was ingested to `from`. Only where the network itself went back may following: its
 * ledgers are others then. What was recorded last stands as long as its cursor has not been moved, or not been moved on.
 */
const resume = (
  { type: _, latest, isForced, ...resumption }: ResumeFollowing,
  { resumptions }: LedgerIngestionState,
): Decision => {
  const { walkedTo, from, halted } = resumption
  const last = resumptions.at(-1)
  if (last?.from === from && (walkedTo === last.walkedTo || walkedTo === from - 1)) return nothing
  if (from <= walkedTo && halted?.reason !== 'LedgerWentBack') return E.left({ _tag: 'LedgerAlreadyWalked', walkedTo })
  if (from > latest + 1) return E.left({ _tag: 'LedgerNotClosed', latest })
  if (halted === null && !isForced) return E.left({ _tag: 'FollowingNotHalted', walkedTo })
  return E.right([{ type: 'FollowingResumed', data: resumption }])
}

const leaveUncounted = ({ type: _, ...transaction }: LeaveUncounted, { uncounted }: LedgerIngestionState): Decision =>
  uncounted.some(({ transactionHash }) => transactionHash === transaction.transactionHash)
    ? nothing
    : E.right([{ type: 'TransactionLeftUncounted', data: transaction }])

/** So many ledgers of one protocol are passed over: more of them call for a release that reads it. */
export const mostPassedOver = 1_000

/** As many transactions of a ledger are named in its event. */
const mostNamed = 100

const passOver = ({ type: _, transactions, ...passed }: PassOver, { passedOver }: LedgerIngestionState): Decision => {
  if (passedOver.some(({ ledger }) => ledger === passed.ledger)) return nothing
  const { protocol } = passed
  const isTooMany = passedOver.filter((each) => each.protocol === protocol).length >= mostPassedOver
  if (isTooMany) return E.left({ _tag: 'TooManyPassedOver', protocol })
  if (transactions === undefined) return E.right([{ type: 'LedgerPassedOver', data: passed }])
  const some = { count: count(transactions.length), transactions: transactions.slice(0, mostNamed) }
  return E.right([{ type: 'TransactionsPassedOver', data: { ...passed, ...some } }])
}

const comparePassedOver = ({ type: _, ...compared }: ComparePassedOver, state: LedgerIngestionState): Decision =>
  uncomparedThrough(state) === compared.through ? E.right([{ type: 'PassedOverCompared', data: compared }]) : nothing

const findReset = ({ type: _, ...found }: FindReset, state: LedgerIngestionState): Decision =>
  isResetPending(state) ? nothing : E.right([{ type: 'NetworkResetFound', data: found }])

const disproveReset = ({ at }: DisproveReset, { foundReset, resetUnderWay }: LedgerIngestionState): Decision =>
  foundReset === null || resetUnderWay !== null ? nothing : E.right([{ type: 'NetworkResetDisproved', data: { at } }])

/** One that is under way goes on: what was decided first stands. */
const beginReset = ({ type: _, isForced, ...decision }: BeginReset, state: LedgerIngestionState): Decision => {
  const { epoch } = decision
  if (epoch !== presentEpoch(state)) return E.left({ _tag: 'EpochHasEnded', epoch })
  if (state.resetUnderWay !== null) return nothing
  if (state.foundReset === null && !isForced) return E.left({ _tag: 'NetworkNotReset' })
  const forced = state.foundReset === null ? { isForced: true as const } : {}
  return E.right([{ type: 'NetworkResetBegun', data: { ...decision, ...forced } }])
}

const completeReset = ({ epoch, begins, at }: CompleteReset, { resetUnderWay }: LedgerIngestionState): Decision =>
  resetUnderWay?.epoch === epoch
    ? E.right([{ type: 'NetworkResetCompleted', data: { epoch: resetUnderWay.epoch, begins, at } }])
    : nothing

export const decide =
  (command: LedgerIngestionCommand) =>
  (state: LedgerIngestionState): Decision => {
    switch (command.type) {
      case 'ResumeFollowing':
        return resume(command, state)
      case 'LeaveUncounted':
        return leaveUncounted(command, state)
      case 'PassOver':
        return passOver(command, state)
      case 'ComparePassedOver':
        return comparePassedOver(command, state)
      case 'FindReset':
        return findReset(command, state)
      case 'DisproveReset':
        return disproveReset(command, state)
      case 'BeginReset':
        return beginReset(command, state)
      case 'CompleteReset':
        return completeReset(command, state)
    }
  }
