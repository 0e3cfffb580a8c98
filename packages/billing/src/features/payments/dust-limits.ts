import { AssetId, CurrencyCode, cents, type Stroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Services } from '../../services/services.ts'
import { lumensOfDust } from './misfit-rules.ts'

/** How many stroops of an asset are no dust any more; null if nobody knows, for lack of a rate. */
export type DustLimits = (scope: Scope, assetId: AssetId) => Promise<bigint | null>

const lumens = decodeOrThrow(AssetId, 'native')
/** What is quoted in both assets: enough that rounding does not matter. */
const compared = { _tag: 'fiat' as const, currency: decodeOrThrow(CurrencyCode, 'USD'), cents: cents(10_000n) }

/**
 * Finds the limits by the rates of this moment, each once. An asset has a rate if the merchant accepts it, or if it is one
 * of the network's own: the same code by another issuer says nothing about its worth.
 */
export const dustLimits = (services: Pick<Services, 'networks' | 'settlementOf' | 'clock'>): DustLimits => {
  const quoted = async ({ merchantId, environment }: Scope, assetId: AssetId): Promise<Stroops | null> => {
    const network = services.networks[environment]
    const settlement = await services.settlementOf(merchantId, environment)()
    const accepted = E.isRight(settlement) ? settlement.right.accepted : []
    const asset = [...accepted, ...(network?.assets ?? [])].find((each) => each.assetId === assetId)
    if (network === null || asset === undefined) return null
    const quote = await network.quote(compared, asset, services.clock.now(environment))()
    return E.isRight(quote) ? quote.right.amount : null
  }
  const known = new Map<string, Promise<bigint | null>>()
  const find = async (scope: Scope, assetId: AssetId): Promise<bigint | null> => {
    if (assetId === lumens) return lumensOfDust
    const [ofAsset, ofLumens] = [await quoted(scope, assetId), await quoted(scope, lumens)]
    return ofAsset === null || ofLumens === null ? null : (lumensOfDust * ofAsset + ofLumens - 1n) / ofLumens
  }
  return (scope, assetId) => {
    const name = `${scope.environment} ${scope.merchantId} ${assetId}`
    const limit = known.get(name) ?? find(scope, assetId)
    known.set(name, limit)
    return limit
  }
}
