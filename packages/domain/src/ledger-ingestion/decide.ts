import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { LeaveUncounted, LedgerIngestionCommand, ResumeFollowing } from './commands.ts'
import type { LedgerIngestionEvent } from './events.ts'
import type { LedgerIngestionRejection } from './rejections.ts'
import type { LedgerIngestionState } from './state.ts'

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

export const decide =
  (command: LedgerIngestionCommand) =>
  (state: LedgerIngestionState): Decision => {
    switch (command.type) {
      case 'ResumeFollowing':
        return resume(command, state)
      case 'LeaveUncounted':
        return leaveUncounted(command, state)
    }
  }
