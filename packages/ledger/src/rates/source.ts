import type { AssetId, CurrencyCode, Rate, UnixMs } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/**
 * One market's word on one pair. `pair` is `BASE/QUOTE`, `rate` the units of QUOTE for one BASE as decimal text.
 * Two kinds of pairs occur: `USD/<currency>`, as tables of currencies give them, and `<asset code>/USD`.
 */
export type RateObservation = Rate

/** Why an observation does not count. `Outlier`: too far from the median of its leg. */
export type ObservationRejection = 'Malformed' | 'NotPositive' | 'Stale' | 'Outlier'

export type RejectedObservation = { readonly observation: RateObservation; readonly reason: ObservationRejection }

/**
 * There is no rate that we trust: no new quote is made, issued ones stand. There is no default rate.
 * `SourceUnreachable`: nobody could be asked; `cause` is for the log. `TooFewSources`: fewer than two are left, after
 * the rejections listed. `JumpUnconfirmed`: more than 10 % from the last accepted rate, and not yet confirmed.
 * `PegBroken`: one unit is worth more than 1 % more or less than it promises.
 */
export type RateUnavailable = { readonly _tag: 'RateUnavailable'; readonly pair: string } & (
  | { readonly reason: 'SourceUnreachable'; readonly cause: string }
  | { readonly reason: 'TooFewSources'; readonly rejected: ReadonlyArray<RejectedObservation> }
  | { readonly reason: 'JumpUnconfirmed'; readonly accepted: string; readonly observed: string }
  | { readonly reason: 'PegBroken'; readonly peg: CurrencyCode }
)

/** What one unit of an asset promises to be worth; null where it promises nothing. */
type Peg =
  /** By what markets say of it. */
  | { readonly peg: CurrencyCode | null; readonly isAtPar: false }
  /** As much as its currency: no market speaks of it. */
  | { readonly peg: CurrencyCode; readonly isAtPar: true }

/** An asset as the rates see it: its code in pairs, and what it is worth. */
export type PricedAsset = { readonly assetId: AssetId; readonly code: string } & Peg

/** Where observations come from: those of the given pairs that are near `at`, from all sources together. */
export interface RateSource {
  readonly observe: (
    pairs: ReadonlyArray<string>,
    at: UnixMs,
  ) => TaskEither<RateUnavailable, ReadonlyArray<RateObservation>>
}
