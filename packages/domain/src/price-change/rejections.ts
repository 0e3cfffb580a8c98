import type { UnixMs } from '../shared/units.ts'

/** Why a command about a price change is refused, with the facts that explain it. */
export type PriceChangeRejection =
  | { readonly _tag: 'PriceChangeNotFound' }
  | { readonly _tag: 'PriceChangeAlreadyExists' }
  /** Subscribers hear of it at least 30 days before. */
  | { readonly _tag: 'NoticeTooShort'; readonly earliest: UnixMs }
  | { readonly _tag: 'PriceNotPositive' }
