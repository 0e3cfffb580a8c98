import { type RecordedEvent, Subscription, type SubscriptionRejection, unixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { Services } from '../../services/services.ts'

/** One event of a subscription: when it happened, its actor and its data. It contains nothing personal. */
export type HistoryEntry = {
  readonly id: string
  readonly revision: number
  readonly type: string
  readonly occurred_at: string
  readonly actor: string
  readonly data: unknown
  readonly hash: string
}

type NotFound = Extract<SubscriptionRejection, { readonly _tag: 'SubscriptionNotFound' }>

/**
 * The events of a subscription as they were written, oldest first; each hash covers the events before it. The secret part
 * of a retry's time is left out: customers may learn what a merchant reads.
 */
export const historyOf = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: string,
): Promise<E.Either<StoreUnavailable | NotFound, ReadonlyArray<HistoryEntry>>> => {
  const slice = await store.readStream(`${Subscription.category}-${id}`)()
  if (E.isLeft(slice)) return slice
  const { events } = slice.right
  if (events[0] === undefined || !isIn(scope, events[0].metadata)) return E.left({ _tag: 'SubscriptionNotFound' })
  return E.right(events.map(entryOf))
}

const entryOf = ({
  id,
  revision,
  type,
  data: { retryOffsetMs: _, ...data },
  metadata,
}: RecordedEvent): HistoryEntry => ({
  id,
  revision: Number(revision),
  type,
  occurred_at: timestamp(unixMs(metadata.occurredAt)),
  actor: metadata.actor,
  data,
  hash: metadata.hash,
})
