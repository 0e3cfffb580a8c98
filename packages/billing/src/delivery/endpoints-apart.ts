import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../following/record.ts'
import type { ProcessFailure } from '../processes/steps.ts'
import type { Services } from '../services.ts'
import { eachApart, setBack } from '../setbacks/each-apart.ts'
import type { Item } from '../setbacks/setbacks.ts'

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

/** Work on endpoints, each by itself: what fails for one holds up no other. */
export type EndpointsApart = {
  /** Works on each; what fails is looked at again once it `areDue`. What is everybody's is thrown. */
  readonly each: (
    webhookIds: ReadonlyArray<string>,
    work: (webhookId: string) => Promise<E.Either<ProcessFailure, unknown>>,
  ) => Promise<void>
  /** Sets one back for a defect that was met where nothing can be awaited. */
  readonly setBack: (webhookId: string, defect: unknown) => Promise<void>
  /** Those whose next attempt is due. */
  readonly areDue: () => ReadonlyArray<string>
}

export const endpointsApart = (services: Services): EndpointsApart => {
  const { readModels, setbacks, clock } = services
  const itemOf = (id: string): Item => {
    const found = readModels.webhooks.withId(id)
    return { merchantId: found?.merchantId ?? platform, environment: found?.environment ?? 'testnet', id }
  }
  return {
    each: async (webhookIds, work) => {
      for (const [environment, items] of Map.groupBy(webhookIds.map(itemOf), (item) => item.environment)) {
        const worked = await eachApart(services, environment, {
          loop: 'webhooks',
          items,
          again: () => undefined,
          work: ({ id }) => work(id),
        })
        if (E.isLeft(worked)) throw new Error(`endpoints cannot be read: ${worked.left._tag}`)
      }
    },
    setBack: async (webhookId, defect) => {
      const item = itemOf(webhookId)
      const work = () => Promise.reject(defect)
      await setBack(services, item.environment, { loop: 'webhooks', item, work }, () => undefined)
    },
    areDue: () =>
      environments.flatMap((environment) =>
        setbacks.of(environment, 'webhooks').flatMap(({ id, nextAt }) => (nextAt <= clock.now() ? [id] : [])),
      ),
  }
}
