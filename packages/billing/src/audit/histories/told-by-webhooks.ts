import { unixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { deliveryIdOf } from '../../notify/delivery/enqueue.ts'
import { timestampOrNull } from '../../resources/fields.ts'
import type { Reads } from '../../resources/scopes.ts'
import { familyOf } from '../../resources/visible.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

/** How an endpoint was told of what happened, where its delivery is still kept. */
export type Telling = {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type: string
  readonly status: 'pending' | 'delivered' | 'exhausted'
  readonly attempts: number
  readonly last_attempt_at: string | null
}

/**
 * The deliveries that told of the events at these positions of the log, by position. Deliveries that have been over for 30
 * days are forgotten, and so are missing here; those that a merchant asked for once more are listed with the endpoint alone.
 */
export const tellingsOf = async (
  { readModels, toDo }: Pick<Services, 'readModels' | 'toDo'>,
  scope: Scope,
  positions: ReadonlyArray<bigint>,
  reads: Reads,
): Promise<ReadonlyMap<bigint, ReadonlyArray<Telling>>> => {
  const endpoints = await Array.fromAsync(
    everyRow((page) => readModels.webhooks.page(page), scope),
    ({ id }) => id,
  )
  if (endpoints.length === 0 || !reads('webhooks')) return new Map()
  const published = (await readModels.publicEvents.of(scope, positions)).filter(({ type }) => reads(familyOf(type)))
  const positionOf = new Map(
    published.flatMap((each) => endpoints.map((endpoint) => [deliveryIdOf(endpoint, each), each.position] as const)),
  )
  const told = new Map<bigint, Array<Telling>>()
  for (const delivery of await toDo.sql.run(toDo.deliveries.withIds([...positionOf.keys()]))) {
    const position = positionOf.get(delivery.id)
    if (position === undefined) continue
    const { id, webhookId, eventId, eventType, status, attempts, lastAttemptAt } = delivery
    const telling = {
      id,
      webhook_id: webhookId,
      event_id: eventId,
      event_type: eventType,
      status,
      attempts,
      last_attempt_at: timestampOrNull(lastAttemptAt === null ? null : unixMs(lastAttemptAt)),
    }
    told.set(position, [...(told.get(position) ?? []), telling])
  }
  return told
}
