import { minuteMs, type UnixMs } from '@quittance/domain'
import type { LegVerdict } from './legs.ts'
import type { SourceFailure } from './live/fetch-document.ts'
import type { ObservationRejection, RateObservation, RateUnavailable } from './source.ts'

/** A problem of a document, of a source's observations of a pair, or of a pair; and since when it is known. */
export type RateTrouble = {
  readonly subject: string
  readonly reason: SourceFailure['_tag'] | ObservationRejection | RateUnavailable['reason']
  readonly since: UnixMs
}

/** Reports each problem to an operator once, and once when it is over. */
export interface RateWatch {
  readonly ofDocument: (name: string, failure: SourceFailure | null) => void
  /** Takes the verdicts on a quote for the moment `at`. A quote for the past says nothing about the sources. */
  readonly ofLegs: (
    verdicts: ReadonlyArray<LegVerdict>,
    observations: ReadonlyArray<RateObservation>,
    at: UnixMs,
  ) => void
  readonly troubles: () => ReadonlyArray<RateTrouble>
}

const PRESENT_MS = minuteMs

/** `told` hears of each new problem, with details for the log, and of its end. */
export const rateWatch = (
  now: () => UnixMs,
  told: (trouble: RateTrouble, isOver: boolean, detail: unknown) => void,
): RateWatch => {
  const known = new Map<string, RateTrouble>()
  const note = (subject: string, reason: RateTrouble['reason'] | null, detail: unknown): void => {
    const before = known.get(subject)
    if (before !== undefined && reason === null) {
      known.delete(subject)
      told(before, true, null)
    }
    if (reason === null || before?.reason === reason) return
    const trouble = { subject, reason, since: now() }
    known.set(subject, trouble)
    told(trouble, false, detail)
  }
  return {
    ofDocument: (name, failure) => note(name, failure?._tag ?? null, failure),
    ofLegs: (verdicts, observations, at) => {
      if (Math.abs(now() - at) > PRESENT_MS) return
      for (const { pair, rejected, failure } of verdicts) {
        note(pair, failure?.reason ?? null, failure)
        for (const { source } of observations.filter((each) => each.pair === pair)) {
          const found = rejected.find(({ observation }) => observation.source === source)
          note(`${pair} of ${source}`, found?.reason ?? null, found)
        }
      }
    },
    troubles: () => [...known.values()],
  }
}
