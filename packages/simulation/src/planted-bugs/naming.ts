import { Checkout } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { PlantedBug } from '../stage.ts'

/** Opens checkouts without a reference, so that their ids stand on the ledger. */
const showIds: PlantedBug = (services) => {
  const { store } = services
  const append: EventStore['append'] = (stream, head, events, alongside) =>
    store.append(
      stream,
      head,
      stream.startsWith(`${Checkout.category}-`)
        ? events.map((event) => ({ ...event, data: withoutReference(event.data) }))
        : events,
      alongside,
    )
  return { ...services, store: { ...store, append } }
}

const withoutReference = <Data extends object>(data: Data): Data => {
  const { reference: _, ...rest } = { reference: null, ...data }
  // The codec leaves the field optional.
  return rest as Data
}

/** Bugs in what stands on the ledger. */
export const referenceBugs: Readonly<Record<string, PlantedBug>> = {
  'the id of a checkout is its memo': showIds,
}
