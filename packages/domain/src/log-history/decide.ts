import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { AcceptLog, LogHistoryCommand, ReportForgottenTransaction, ReportRollback } from './commands.ts'
import type { LogHistoryEvent, LogMark } from './events.ts'
import { isKnown, isSame, type LogHistoryState } from './state.ts'

type Decision = E.Either<never, ReadonlyArray<LogHistoryEvent>>

const reportRollback = ({ lacked, foundAt }: ReportRollback, state: LogHistoryState): Decision => {
  const isFirst = (mark: LogMark, index: number) => lacked.findIndex((each) => isSame(each, mark)) === index
  const fresh = lacked.filter((mark, index) => isFirst(mark, index) && !isKnown(state, mark))
  return fresh.length === 0 ? nothing : E.right([{ type: 'LogRollbackFound', data: { lacked: fresh, foundAt } }])
}

/**
 * The first forgotten transaction of a network suffices until a person accepts: a log that lost a thousand would grow by
 * a thousand events.
 */
const reportForgotten = (
  { type: _, ...found }: ReportForgottenTransaction,
  { forgotten, acceptances }: LogHistoryState,
): Decision => {
  const { environment, ledger } = found
  const isAccepted = acceptances.some(({ through }) => ledger <= (through[environment] ?? 0))
  if (isAccepted || forgotten.some((each) => each.environment === environment)) return nothing
  return E.right([{ type: 'ForgottenTransactionFound', data: found }])
}

const accept = ({ type: _, ...acceptance }: AcceptLog, { lacked, forgotten }: LogHistoryState): Decision =>
  lacked.length === 0 && forgotten.length === 0
    ? nothing
    : E.right([{ type: 'LogAccepted', data: { ...acceptance, lacked, forgotten } }])

export const decide =
  (command: LogHistoryCommand) =>
  (state: LogHistoryState): Decision => {
    switch (command.type) {
      case 'ReportRollback':
        return reportRollback(command, state)
      case 'ReportForgottenTransaction':
        return reportForgotten(command, state)
      case 'AcceptLog':
        return accept(command, state)
    }
  }
