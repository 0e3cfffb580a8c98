import { AssetId, decimalFromStroops, type Stroops, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type DocumentFetcher, documentFetcher, FETCH_LIMITS } from '../rates/live/fetch-document.ts'
import type { PathFinder, PathOffer, PathQuery, PathsUnavailable } from './path-finder.ts'

const MAXIMUM_BYTES = 256 * 1024
/** The most assets between two that the network takes in one operation. */
const MOST_BETWEEN = 5

const Name = t.union([t.string, t.undefined])
const Hop = t.type({ asset_type: t.string, asset_code: Name, asset_issuer: Name })
const FoundPaths = t.type({
  _embedded: t.type({
    records: t.array(
      t.type({
        source_asset_type: t.string,
        source_asset_code: Name,
        source_asset_issuer: Name,
        source_amount: t.string,
        destination_asset_type: t.string,
        destination_asset_code: Name,
        destination_asset_issuer: Name,
        destination_amount: t.string,
        path: t.array(Hop),
      }),
    ),
  }),
})
type FoundPath = t.TypeOf<typeof FoundPaths>['_embedded']['records'][number]

/** Null for what is no asset's name. */
const assetNamed = (type: string, code: string | undefined, issuer: string | undefined): AssetId | null => {
  const name = type === 'native' ? type : `${code}:${issuer}`
  return AssetId.is(name) ? name : null
}

const amountIn = (text: string): Stroops | null => E.getOrElseW(() => null)(stroopsFromDecimal(text))

/** The offer in a record; null for one that does not match the query. */
const offerIn = (
  record: FoundPath,
  { destinationAsset, destinationAmount, sourceAssets }: PathQuery,
): PathOffer | null => {
  const { source_asset_type, source_asset_code, source_asset_issuer } = record
  const { destination_asset_type, destination_asset_code, destination_asset_issuer } = record
  const sendAsset = assetNamed(source_asset_type, source_asset_code, source_asset_issuer)
  const sendAmount = amountIn(record.source_amount)
  const path = record.path
    .map(({ asset_type, asset_code, asset_issuer }) => assetNamed(asset_type, asset_code, asset_issuer))
    .filter((each) => each !== null)
  if (sendAsset === null || sendAmount === null || sendAmount === 0n) return null
  if (path.length < record.path.length || path.length > MOST_BETWEEN) return null
  const arrives = assetNamed(destination_asset_type, destination_asset_code, destination_asset_issuer)
  const isAsked =
    sourceAssets.includes(sendAsset) &&
    arrives === destinationAsset &&
    amountIn(record.destination_amount) === destinationAmount
  return isAsked ? { sendAsset, sendAmount, path } : null
}

const cheapestOfEach = (offers: ReadonlyArray<PathOffer>): ReadonlyArray<PathOffer> => {
  const best = new Map<AssetId, PathOffer>()
  for (const offer of offers) {
    const known = best.get(offer.sendAsset)
    if (known === undefined || offer.sendAmount < known.sendAmount) best.set(offer.sendAsset, offer)
  }
  return [...best.values()]
}

const parametersOf = ({ destinationAsset, destinationAmount, sourceAssets }: PathQuery): URLSearchParams => {
  const [code = '', issuer] = destinationAsset.split(':')
  const destination: Readonly<Record<string, string>> =
    issuer === undefined
      ? { destination_asset_type: 'native' }
      : {
          destination_asset_type: code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12',
          destination_asset_code: code,
          destination_asset_issuer: issuer,
        }
  return new URLSearchParams({
    source_assets: sourceAssets.join(','),
    ...destination,
    destination_amount: decimalFromStroops(destinationAmount),
  })
}

const unavailable = (cause: string): E.Either<PathsUnavailable, never> => E.left({ _tag: 'PathsUnavailable', cause })

/**
 * Finds paths at a Horizon server; `url` has no slash at the end. A response may take 5 s and 256 KiB. `close` ends
 * requests under way.
 * Source: Stellar docs, Horizon, "List Strict Receive Payment Paths".
 */
export const horizonPaths = (
  url: string,
  fetcher: DocumentFetcher = documentFetcher({ ...FETCH_LIMITS, maximumBytes: MAXIMUM_BYTES }),
): PathFinder & { readonly close: () => Promise<void> } => ({
  strictReceive: (query) => async () => {
    if (query.sourceAssets.length === 0) return E.right([])
    const document = await fetcher.fetch(`${url}/paths/strict-receive?${parametersOf(query)}`)()
    if (E.isLeft(document)) return unavailable(JSON.stringify(document.left))
    const paths = FoundPaths.decode(document.right)
    if (E.isLeft(paths)) return unavailable('the response is no list of paths')
    const offers = paths.right._embedded.records.map((each) => offerIn(each, query))
    return E.right(cheapestOfEach(offers.filter((each) => each !== null)))
  },
  close: fetcher.close,
})
