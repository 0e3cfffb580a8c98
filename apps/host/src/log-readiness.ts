import type { LogStanding, RollbackReason } from '@quittance/billing'

/** Whether the log is the one that this deployment has written; if not, what shows it. */
export type LogReadiness = {
  readonly status: 'sound' | 'rolled_back'
  readonly reasons: ReadonlyArray<{ readonly reason: string; readonly subject: string }>
}

const mostShown = 20

export const logReadiness = (standing: LogStanding): LogReadiness =>
  standing._tag === 'Sound'
    ? { status: 'sound', reasons: [] }
    : { status: 'rolled_back', reasons: standing.reasons.slice(0, mostShown).map(shown) }

const shown = (reason: RollbackReason): LogReadiness['reasons'][number] => {
  switch (reason._tag) {
    case 'EventLacking':
      // Anyone may ask, and the name of a stream may open a page: the alarm has it.
      return { reason: 'event_lacking', subject: reason.hash }
    case 'TransactionForgotten':
      return { reason: 'transaction_forgotten', subject: reason.transactionHash ?? reason.account }
  }
}
