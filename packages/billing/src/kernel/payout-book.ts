import { AssetId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from './decode.ts'

/** The id of the book of an asset's payouts. */
export const bookId = ({ merchantId, environment }: Scope, assetId: AssetId): string =>
  `${merchantId}/${environment}/${assetId}`

/** The asset of a book. Throws for any other id. */
export const assetOfBook = (id: string): AssetId => decodeOrThrow(AssetId, id.split('/')[2])
