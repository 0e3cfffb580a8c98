import {
  type Aggregate,
  Checkout,
  CorruptStream,
  Credits,
  Customer,
  CustomerMerges,
  Exception,
  Funding,
  Intent,
  InvoiceSession,
  Limits,
  Merchant,
  OutflowApproval,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  PriceChange,
  Product,
  type RecordedEvent,
  Refund,
  Reservation,
  Subscription,
  Team,
  Webhook,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'

type Events = ReadonlyArray<RecordedEvent>

/** Leaves out what the state before it cannot hold, since what it followed had not happened yet. */
const applicableTo = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
): readonly [string, (events: Events) => Events] => {
  const decode = decodedBy(aggregate)
  const { initial, evolve } = aggregate.decider
  const applicable = (events: Events) => {
    let state = initial
    return events.filter((recorded) => {
      try {
        state = evolve(state, decode(recorded))
        return true
      } catch (cause) {
        if (cause instanceof CorruptStream) return false
        throw cause
      }
    })
  }
  return [aggregate.category, applicable]
}

const byCategory: ReadonlyMap<string, (events: Events) => Events> = new Map([
  applicableTo(Checkout),
  applicableTo(Credits),
  applicableTo(Customer),
  applicableTo(CustomerMerges),
  applicableTo(Exception),
  applicableTo(Funding),
  applicableTo(Intent),
  applicableTo(InvoiceSession),
  applicableTo(Limits),
  applicableTo(Merchant),
  applicableTo(OutflowApproval),
  applicableTo(Payment),
  applicableTo(Payout),
  applicableTo(PayoutBook),
  applicableTo(PayoutDestination),
  applicableTo(PriceChange),
  applicableTo(Product),
  applicableTo(Refund),
  applicableTo(Reservation),
  applicableTo(Subscription),
  applicableTo(Team),
  applicableTo(Webhook),
])

/**
 * The events of a stream from which later ones were taken out: also without those that depend on what was taken out, such as
 * the end of a charge whose attempt had not happened yet. So the rest can be folded.
 */
export const withoutOrphans = (stream: string, events: Events): Events =>
  byCategory.get(stream.slice(0, stream.indexOf('-')))?.(events) ?? events
