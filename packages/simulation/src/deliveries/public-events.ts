import { createBilling } from '@quittance/billing'
import { done } from '@quittance/billing/testing/outcomes'
import type { Stage } from './stage.ts'

/** An event as `GET /events` tells it, and where in the log it is. */
export type PublicEvent = {
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly sequence: number
  readonly body: string
  readonly position: bigint
}

const pageSize = 100

/** All that the merchant was told of, oldest first. */
export const publicEventsOf = async ({
  faultFree,
  fixture: { merchantId },
}: Stage): Promise<ReadonlyArray<PublicEvent>> => {
  const { events } = createBilling(faultFree)
  const told: Array<PublicEvent> = []
  for (;;) {
    const after = told.at(-1)?.id ?? null
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
      const position = faultFree.readModels.publicEvents.withId(id)?.position ?? 0n
      told.push({ id, type, resource: resource_id, sequence, body: JSON.stringify(resource), position })
    }
    if (!hasMore) return told
  }
}
