import type { AssetId, Environment, UnixMs } from '@quittance/domain'
import type { Clock } from '../kernel/clock.ts'

/** Remembers in memory when an environment was last seen to be able to collect an asset. */
export interface SeenCollecting {
  readonly isRecent: (environment: Environment, assetId: AssetId, withinMs: number) => boolean
  readonly keep: (environment: Environment, assetId: AssetId) => void
}

export const seenCollecting = (clock: Clock): SeenCollecting => {
  const seen = new Map<string, UnixMs>()
  const nameOf = (environment: Environment, assetId: AssetId): string => `${environment} ${assetId}`
  return {
    isRecent: (environment, assetId, withinMs) => {
      const at = seen.get(nameOf(environment, assetId))
      return at !== undefined && clock.now(environment) >= at && clock.now(environment) - at <= withinMs
    },
    keep: (environment, assetId) => {
      seen.set(nameOf(environment, assetId), clock.now(environment))
    },
  }
}
