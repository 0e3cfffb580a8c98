import type { FailureTag } from '../../stores/setbacks/failures.ts'
import type { Loop } from '../../stores/setbacks/loop.ts'
import { done } from '../outcomes.ts'
import type { StoreFront } from '../store-front.ts'

/** Whether a loop has done its work for a shop. */
export type Work = () => Promise<boolean>

/** Gives a loop work for a shop, without a step of a worker. */
export type Start = () => Promise<Work>

/**
 * `streams` are those whose trouble only this loop meets; `prepare` may take steps. So much time (`waitMs`) passes
 * without a step once everybody has started.
 */
export type Scenario = {
  readonly streams: RegExp
  readonly failures: ReadonlyArray<FailureTag>
  readonly waitMs?: number
  readonly prepare: (shop: StoreFront) => Promise<Start>
}

export type Scenarios = Readonly<Partial<Record<Loop, Scenario>>>

/** The failures of work on a stream. */
export const ofStreams = [
  'ForeignStream',
  'TooManyConflicts',
  'ClaimLost',
  'StoreUnavailable',
  'OutcomeUnknown',
  'Defect',
] as const

export const everyClass: ReadonlyArray<FailureTag> = [
  ...ofStreams,
  'RateUnavailable',
  'AmountTooLarge',
  'LedgerUnreachable',
  'MerchantNotReady',
  'NetworkNotConfigured',
]

/** The types of a stream's events, the oldest first. */
export const eventsOf = async ({ platform }: StoreFront, stream: string): Promise<ReadonlyArray<string>> =>
  (await done(platform.log.readStream(stream))).events.map(({ type }) => type)
