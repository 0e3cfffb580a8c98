import type { UnixMs } from '../shared/units.ts'
import type { ForgottenTransaction, LogAcceptance, LogMark } from './events.ts'

/** The log lacks events that it held once. */
export type ReportRollback = {
  readonly type: 'ReportRollback'
  readonly lacked: ReadonlyArray<LogMark>
  readonly foundAt: UnixMs
}

export type ReportForgottenTransaction = { readonly type: 'ReportForgottenTransaction' } & ForgottenTransaction

/** Accepts everything that was found. */
export type AcceptLog = { readonly type: 'AcceptLog' } & Omit<LogAcceptance, 'lacked' | 'forgotten'>

/** What may be asked of the history of the log. */
export type LogHistoryCommand = ReportRollback | ReportForgottenTransaction | AcceptLog
