import type { NewEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'

const unnamed = (event: NewEvent): NewEvent => {
  const { reference: _, ...data } = event.data
  return { ...event, data }
}

/** Records sessions and requests as versions did that knew no references: their ids stood on the ledger. */
export const withoutReferences = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, head, events, alongside) => store.append(stream, head, events.map(unnamed), alongside),
})
