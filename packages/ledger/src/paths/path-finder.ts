import type { AssetId, Stroops } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** The exact amount that should arrive, and the assets that may pay it, at most 15. */
export type PathQuery = {
  readonly destinationAsset: AssetId
  readonly destinationAmount: Stroops
  readonly sourceAssets: ReadonlyArray<AssetId>
}

/** A path from one asset: its present cost, and the assets between, at most 5, as an operation names them. */
export type PathOffer = {
  readonly sendAsset: AssetId
  readonly sendAmount: Stroops
  readonly path: ReadonlyArray<AssetId>
}

/** No server responded sensibly: try again later. `cause` is for the log. */
export type PathsUnavailable = { readonly _tag: 'PathsUnavailable'; readonly cause: string }

/**
 * Finds paths that deliver an exact amount. Its offers are hints: a payment is bounded by its own `sendMax`, and
 * delivers what is due or nothing.
 */
export interface PathFinder {
  /** The cheapest path from each asset that has one. */
  readonly strictReceive: (query: PathQuery) => TaskEither<PathsUnavailable, ReadonlyArray<PathOffer>>
}
