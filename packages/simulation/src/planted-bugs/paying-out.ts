import { createdId } from '@quittance/billing/testing/internals'
import { Intent, IntentId, PayoutBook, type RecordedEvent, stroops } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

const decodeBook = decodedBy(PayoutBook)

/** Reads every schedule without its reserve, so that all is paid out. */
const forgetReserve: PlantedBug = (services) => {
  const { store } = services
  const readStream: EventStore['readStream'] =
    (stream, ...rest) =>
    async () => {
      const slice = await store.readStream(stream, ...rest)()
      if (E.isLeft(slice) || !stream.startsWith(`${PayoutBook.category}-`)) return slice
      return E.right({ ...slice.right, events: slice.right.events.map(withoutReserve) })
    }
  return { ...services, store: { ...store, readStream } }
}

const withoutReserve = (event: RecordedEvent): RecordedEvent => {
  const { type, data } = decodeBook(event)
  if (type !== 'PayoutScheduleSet') return event
  const schedule = { ...data.schedule, reserve: stroops(0n) }
  return { ...event, ...PayoutBook.events.encodeEvent({ type, data: { ...data, schedule } }) }
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
