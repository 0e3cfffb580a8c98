import { createBilling } from '@quittance/billing'
import { done } from '@quittance/billing/testing/outcomes'
import type { Stage } from './stage.ts'

/** An event as `GET /events` answers it, with its position in the log. */
export type PublicEvent = {
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly sequence: number
  readonly body: string
  readonly position: bigint
}

const pageSize = 100

/** All public events of the merchant, oldest first. */
export const publicEventsOf = async ({
  faultFree,
  fixture: { merchantId },
}: Stage): Promise<ReadonlyArray<PublicEvent>> => {
  const { events } = createBilling(faultFree)
  const published: Array<PublicEvent> = []
  for (;;) {
    const after = published.at(-1)?.id ?? null
    const request = {
      merchantId,
      environment: 'testnet' as const,
      after,
      type: null,
      resourceId: null,
      limit: pageSize,
    }
    const { resources, hasMore } = await done(events.list(request))
    for (const resource of resources) {
      const { id, type, resource_id, sequence } = resource
      const position = (await faultFree.readModels.publicEvents.withId(id))?.position ?? 0n
      published.push({ id, type, resource: resource_id, sequence, body: JSON.stringify(resource), position })
    }
    if (!hasMore) return published
  }
}
