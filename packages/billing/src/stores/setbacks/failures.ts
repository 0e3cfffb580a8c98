import { hourMs, minuteMs, secondMs } from '@quittance/domain'
import * as t from 'io-ts'

/** The pauses after failed attempts in a row (the last one repeats), and the attempt from which an alarm is raised. */
type Handling = { readonly pausesMs: ReadonlyArray<number>; readonly alarmsAfter: number }

/** Failures that usually pass by themselves within minutes. */
const passing: Handling = {
  pausesMs: [secondMs, 5 * secondMs, 30 * secondMs, minuteMs, 2 * minuteMs, 5 * minuteMs],
  alarmsAfter: 3,
}
/** Failures that somebody has to do something about. */
const lasting: Handling = {
  pausesMs: [secondMs, 5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs],
  alarmsAfter: 1,
}

const handling = {
  StoreUnavailable: passing,
  OutcomeUnknown: passing,
  TooManyConflicts: passing,
  ClaimLost: passing,
  LedgerUnreachable: passing,
  RateUnavailable: passing,
  ScreeningUnavailable: passing,
  ForeignStream: lasting,
  AmountTooLarge: lasting,
  MerchantNotReady: lasting,
  NetworkNotConfigured: lasting,
  Defect: lasting,
} satisfies Readonly<Record<string, Handling>>

/** How work on an item failed: the tag of a `ProcessFailure`, or `Defect` for an exception. */
export const FailureTag = t.keyof(handling, 'FailureTag')
export type FailureTag = t.TypeOf<typeof FailureTag>

/** The pause after so many failed attempts in a row, 1 or more. */
export const pauseMs = (failure: FailureTag, attempts: number): number => {
  const { pausesMs } = handling[failure]
  return pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0
}

export const isAlarming = (failure: FailureTag, attempts: number): boolean => attempts >= handling[failure].alarmsAfter
