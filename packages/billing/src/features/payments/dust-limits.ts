import { AssetId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Services } from '../../services/services.ts'
import { quotedIn } from '../outgoing/quoted.ts'
import { lumensOfDust } from './misfit-rules.ts'

/** How many stroops of an asset are no dust any more; null if nobody knows, for lack of a rate. */
export type DustLimits = (scope: Scope, assetId: AssetId) => Promise<bigint | null>

const lumens = decodeOrThrow(AssetId, 'native')

/** Finds the limits by the rates of this moment, each once. */
export const dustLimits = (services: Pick<Services, 'networks' | 'settlementOf' | 'clock'>): DustLimits => {
  const known = new Map<string, Promise<bigint | null>>()
  const find = async (scope: Scope, assetId: AssetId): Promise<bigint | null> => {
    if (assetId === lumens) return lumensOfDust
    const [ofAsset, ofLumens] = [await quotedIn(services, scope, assetId), await quotedIn(services, scope, lumens)]
    return ofAsset === null || ofLumens === null ? null : (lumensOfDust * ofAsset + ofLumens - 1n) / ofLumens
  }
  return (scope, assetId) => {
    const name = `${scope.environment} ${scope.merchantId} ${assetId}`
    const limit = known.get(name) ?? find(scope, assetId)
    known.set(name, limit)
    return limit
  }
}
