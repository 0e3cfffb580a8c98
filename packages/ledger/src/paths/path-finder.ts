import type { AssetId, Stroops } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What is to arrive, exactly, and with which assets it may be paid: at most 15. */
export type PathQuery = {
  readonly destinationAsset: AssetId
  readonly destinationAmount: Stroops
  readonly sourceAssets: ReadonlyArray<AssetId>
}

/** A way to pay with one asset: what it costs now, and the assets between, at most 5, as an operation names them. */
export type PathOffer = {
  readonly sendAsset: AssetId
  readonly sendAmount: Stroops
  readonly path: ReadonlyArray<AssetId>
}

/** Nobody could be asked for paths, or the answer made no sense: try again later. `cause` is for the log. */
export type PathsUnavailable = { readonly _tag: 'PathsUnavailable'; readonly cause: string }

/**
 * Looks for ways to deliver exactly an amount. What it says is a hint and nothing more: a payment is bounded by its own
 * `sendMax`, and delivers what is due or nothing.
 */
export interface PathFinder {
  /** The cheapest way for each asset that leads there; none for one that does not. */
  readonly strictReceive: (query: PathQuery) => TaskEither<PathsUnavailable, ReadonlyArray<PathOffer>>
}
