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
  readonly dueNow: () => Promise<ReadonlyArray<string>>
  /** Ends the setback of an endpoint that was examined without a defect. */
  readonly recovered: (webhookId: string) => Promise<void>
  /** When the next pause in an environment ends after now (Unix milliseconds); null if there is none. */
  readonly nextDue: (environment: Environment) => Promise<number | null>
}

export const endpointIsolation = (services: DeliveryServices): EndpointIsolation => {
  const { readModels, setbacks, clock } = services
  /** Endpoints with a setback, so that the others need no read. */
  const known = new Set<string>()
  const present = async (): Promise<ReadonlyArray<Setback>> => {
    const found: Array<Setback> = []
    for (const environment of environments) found.push(...(await setbacks.of(environment, 'webhooks')))
    for (const { id } of found) known.add(id)
    return found
  }
  return {
    setBack: async (id, defect) => {
      const found = await readModels.webhooks.withId(id)
      const environment = found?.environment ?? 'testnet'
      const item = { merchantId: found?.merchantId ?? platform, environment, id }
      const work = () => Promise.reject(defect)
      await setBack(services, environment, { loop: 'webhooks', item, work }, async () => void known.add(id))
    },
    dueNow: async () =>
      (await present()).flatMap(({ id, nextAt, environment }) => (nextAt <= clock.now(environment) ? [id] : [])),
    recovered: async (webhookId) => {
      if (!known.has(webhookId)) return
      for (const each of await present()) if (each.id === webhookId) await setbacks.clear('webhooks', each)
      known.delete(webhookId)
    },
    nextDue: async (environment) => {
      const after = clock.now(environment)
      const paused = await setbacks.of(environment, 'webhooks')
      const ahead = paused.flatMap(({ nextAt }) => (nextAt > after ? [nextAt] : []))
      return ahead.length === 0 ? null : Math.min(...ahead)
    },
  }
}
