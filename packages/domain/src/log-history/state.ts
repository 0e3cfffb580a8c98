import type { ForgottenTransaction, LogAcceptance, LogHistoryEvent, LogMark } from './events.ts'

/** What shows that the log went back and is not accepted yet, and the acceptances before, oldest first. */
export type LogHistoryState = {
  readonly lacked: ReadonlyArray<LogMark>
  readonly forgotten: ReadonlyArray<ForgottenTransaction>
  readonly acceptances: ReadonlyArray<LogAcceptance>
}

export const initial: LogHistoryState = { lacked: [], forgotten: [], acceptances: [] }

export const evolve = (state: LogHistoryState, { type, data }: LogHistoryEvent): LogHistoryState => {
  switch (type) {
    case 'LogRollbackFound':
      return { ...state, lacked: [...state.lacked, ...data.lacked] }
    case 'ForgottenTransactionFound':
      return { ...state, forgotten: [...state.forgotten, data] }
    case 'LogAccepted':
      return { lacked: [], forgotten: [], acceptances: [...state.acceptances, data] }
  }
}

export const isSame = (one: LogMark, other: LogMark): boolean =>
  one.stream === other.stream && one.revision === other.revision && one.hash === other.hash

/** Whether a person has accepted that the log lacks this event. */
export const isAccepted = ({ acceptances }: Pick<LogHistoryState, 'acceptances'>, mark: LogMark): boolean =>
  acceptances.some(({ lacked }) => lacked.some((each) => isSame(each, mark)))

/** Whether this loss is reported or accepted already. */
export const isKnown = (state: LogHistoryState, mark: LogMark): boolean =>
  isAccepted(state, mark) || state.lacked.some((each) => isSame(each, mark))
