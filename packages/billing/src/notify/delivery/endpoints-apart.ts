import type { Environment } from '@quittance/domain'
import { platform } from '../../kernel/platform.ts'
import { setBack } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'
import type { Setback } from '../../stores/setbacks/setbacks.ts'

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

/** Endpoints for which a defect was met: each is set back by itself, and holds up no other. */
export type EndpointsApart = {
  /** Until its next attempt is due. Throws the defect where it is everybody's: then nothing is recorded. */
  readonly setBack: (webhookId: string, defect: unknown) => Promise<void>
  /** Those whose next attempt is due. */
  readonly areDue: () => ReadonlyArray<string>
  /** It was worked for without a defect. */
  readonly goesOn: (webhookId: string) => void
  /** When the next attempt is due after a moment (Unix milliseconds); null where none is. */
  readonly nextDue: (after: number) => number | null
}

export const endpointsApart = (services: Services): EndpointsApart => {
  const { readModels, setbacks, clock } = services
  const present = (): ReadonlyArray<Setback> =>
    environments.flatMap((environment) => setbacks.of(environment, 'webhooks'))
  /** What is known to be set back, so that all others cost nothing. */
  let known = new Set(present().map(({ id }) => id))
  return {
    setBack: async (id, defect) => {
      const found = readModels.webhooks.withId(id)
      const environment = found?.environment ?? 'testnet'
      const item = { merchantId: found?.merchantId ?? platform, environment, id }
      const work = () => Promise.reject(defect)
      await setBack(services, environment, { loop: 'webhooks', item, work }, () => known.add(id))
    },
    areDue: () => {
      const all = present()
      known = new Set(all.map(({ id }) => id))
      return all.flatMap(({ id, nextAt }) => (nextAt <= clock.now() ? [id] : []))
    },
    goesOn: (webhookId) => {
      if (!known.delete(webhookId)) return
      for (const each of present()) if (each.id === webhookId) setbacks.clear('webhooks', each)
    },
    nextDue: (after) => {
      const ahead = present().flatMap(({ nextAt }) => (nextAt > after ? [nextAt] : []))
      return ahead.length === 0 ? null : Math.min(...ahead)
    },
  }
}
