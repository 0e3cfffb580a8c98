import type { Environment } from '@quittance/domain'
import { platform } from '../../kernel/platform.ts'
import { setBack } from '../../services/each-isolated.ts'
import type { Setback } from '../../stores/setbacks/setbacks.ts'
import type { DeliveryServices } from './services.ts'

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

/** Sets back endpoints whose work meets a defect, so that they hold up no others. */
export type EndpointIsolation = {
  /** Pauses an endpoint. Throws a defect that concerns every endpoint, and records nothing then. */
  readonly setBack: (webhookId: string, defect: unknown) => Promise<void>
  /** The endpoints whose pause has ended. */
  readonly dueNow: () => ReadonlyArray<string>
  /** Ends the setback of an endpoint that was examined without a defect. */
  readonly recovered: (webhookId: string) => void
  /** When the next pause in an environment ends after now (Unix milliseconds); null if there is none. */
  readonly nextDue: (environment: Environment) => number | null
}

export const endpointIsolation = (services: DeliveryServices): EndpointIsolation => {
  const { readModels, setbacks, clock } = services
  const present = (): ReadonlyArray<Setback> =>
    environments.flatMap((environment) => setbacks.of(environment, 'webhooks'))
  /** Endpoints with a setback, so that the others need no read. */
  let known = new Set(present().map(({ id }) => id))
  return {
    setBack: async (id, defect) => {
      const found = readModels.webhooks.withId(id)
      const environment = found?.environment ?? 'testnet'
      const item = { merchantId: found?.merchantId ?? platform, environment, id }
      const work = () => Promise.reject(defect)
      await setBack(services, environment, { loop: 'webhooks', item, work }, () => known.add(id))
    },
    dueNow: () => {
      const all = present()
      known = new Set(all.map(({ id }) => id))
      return all.flatMap(({ id, nextAt, environment }) => (nextAt <= clock.now(environment) ? [id] : []))
    },
    recovered: (webhookId) => {
      if (!known.delete(webhookId)) return
      for (const each of present()) if (each.id === webhookId) setbacks.clear('webhooks', each)
    },
    nextDue: (environment) => {
      const after = clock.now(environment)
      const ahead = setbacks.of(environment, 'webhooks').flatMap(({ nextAt }) => (nextAt > after ? [nextAt] : []))
      return ahead.length === 0 ? null : Math.min(...ahead)
    },
  }
}
