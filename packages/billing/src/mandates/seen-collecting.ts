import type { Environment, UnixMs } from '@quittance/domain'
import type { Clock } from '../ports.ts'

/** When this process last saw that an environment can collect. */
export interface SeenCollecting {
  readonly isRecent: (environment: Environment, withinMs: number) => boolean
  readonly keep: (environment: Environment) => void
}

export const seenCollecting = (clock: Clock): SeenCollecting => {
  const seen = new Map<Environment, UnixMs>()
  return {
    isRecent: (environment, withinMs) => {
      const at = seen.get(environment)
      return at !== undefined && clock.now() >= at && clock.now() - at <= withinMs
    },
    keep: (environment) => {
      seen.set(environment, clock.now())
    },
  }
}
