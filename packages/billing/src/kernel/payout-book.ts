import { AssetId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from './decode.ts'

/** Names the book of an asset's payouts: what follows the category in its stream's name. */
export const bookId = ({ merchantId, environment }: Scope, assetId: AssetId): string =>
  `${merchantId}/${environment}/${assetId}`

/** The asset that a book is about. Throws for what is no book's id. */
export const assetOfBook = (id: string): AssetId => decodeOrThrow(AssetId, id.split('/')[2])
