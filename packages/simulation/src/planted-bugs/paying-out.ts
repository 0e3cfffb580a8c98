import { createdId } from '@quittance/billing/testing/internals'
import { Intent, IntentId, PayoutBook } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { PlantedBug } from '../stage.ts'

type Appended = Parameters<EventStore['append']>[2]

/** Changes the events appended to payout books. */
const inBooks =
  (change: (events: Appended) => Appended): PlantedBug =>
  (services) => {
    const { store } = services
    const append: EventStore['append'] = (stream, head, events, alongside) =>
      store.append(stream, head, stream.startsWith(`${PayoutBook.category}-`) ? change(events) : events, alongside)
    return { ...services, store: { ...store, append } }
  }

type Data = { readonly details?: { readonly dueAt?: unknown; readonly keep?: unknown; readonly amount?: unknown } }

const isScheduled = ({ data }: { readonly data: Data }): boolean => data.details?.dueAt !== undefined

/** Pays out everything, without the reserve. */
const forgetReserve = inBooks((events) =>
  events.map((event) => {
    const { data } = event
    if (!isScheduled(event) || typeof data.details !== 'object' || data.details === null) return event
    return { ...event, data: { ...data, details: { ...data.details, ...withoutKeep(data.details) } } }
  }),
)

const withoutKeep = (details: object) => {
  const { keep, amount } = { keep: '0', amount: '0', ...details }
  return { keep: '0', amount: (BigInt(keep) + BigInt(amount)).toString() }
}

/** Gives a payout's intent an id of its own instead of one derived from the payout. */
const intentOfItsOwn: PlantedBug = (services) => {
  const { store, freshId, clock } = services
  const append: EventStore['append'] = (stream, head, events, alongside) => {
    const isPayout = events.some(({ type, data }) => type === 'IntentRecorded' && data.class === 'payout')
    if (!isPayout) return store.append(stream, head, events, alongside)
    const own = `${Intent.category}-${createdId(IntentId, clock.now('testnet'), freshId())}`
    return store.append(
      own,
      head,
      events.map((event) => ({ ...event, id: freshId() })),
      alongside,
    )
  }
  return { ...services, store: { ...store, append } }
}

/** Bugs in payouts. */
export const payoutBugs: Readonly<Record<string, PlantedBug>> = {
  'a schedule keeps no reserve': forgetReserve,
  'an intent is not named by its payout': intentOfItsOwn,
}
