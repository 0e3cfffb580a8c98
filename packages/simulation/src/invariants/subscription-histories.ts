import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { type RecordedEvent, Subscription, type SubscriptionEvent, type SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Settled } from './invariant.ts'

/** A subscription and its events, with their positions in the log. */
export type SubscriptionHistory = {
  readonly id: string
  readonly state: SubscriptionRecord
  readonly events: ReadonlyArray<SubscriptionEvent>
  readonly positions: ReadonlyArray<bigint>
}

const eventOf = (recorded: RecordedEvent): SubscriptionEvent => {
  const decoded = Subscription.events.decodeEvent(recorded)
  if (E.isLeft(decoded)) throw new Error(`${recorded.type} cannot be decoded`)
  return decoded.right
}

export const subscriptionHistories = async ({ services }: Settled): Promise<ReadonlyArray<SubscriptionHistory>> => {
  const histories: Array<SubscriptionHistory> = []
  for (const { id } of await services.readModels.subscriptions.all()) {
    const { events } = await done(services.store.readStream(`${Subscription.category}-${id}`))
    const state = fold(Subscription, events)
    const positions = events.map(({ position }) => position)
    if (state.status !== 'absent') histories.push({ id, state, events: events.map(eventOf), positions })
  }
  return histories
}

/** All mandates of a subscription, the current one last. */
export const mandatesOf = ({ state: { details }, events }: SubscriptionHistory) => [
  details.mandate,
  ...events.flatMap(({ type, data }) => (type === 'MandateReplaced' ? [data.mandate] : [])),
]
