import { Subscription } from '@quittance/domain'
import { type EventStore, type Head, noEvents } from '@quittance/event-store'
import { subscriptionOf } from './names.ts'
import { call, chargesInCall, renewal, subscription } from './renewal.ts'
import { type Begun, endpoint, sale } from './sale.ts'

/** How much a log holds of each. */
export type Extent = {
  readonly events: number
  readonly sales: number
  readonly subscriptions: number
  readonly renewals: number
  readonly calls: number
}

export const nothingYet: Extent = { events: 0, sales: 0, subscriptions: 0, renewals: 0, calls: 0 }

export const endpoints = 16
const [salesAtOnce, newAtOnce] = [16, 4]
/** How many steps ago those began whose subscriptions renew. Four renewals each, so that lives are as long in any log. */
const ages = [1, 2, 3, 4]

/** Lets a shop's log grow. What it appends at once shares commits. */
export const openShop = (store: EventStore, from: Extent) => {
  let extent = from
  const grown = (added: Partial<Extent>): void => {
    extent = { ...extent, ...added }
  }
  const append = async (stream: string, head: Head, events: Begun['events']): Promise<void> => {
    const appended = await store.append(stream, head, events)()
    if (appended._tag === 'Left') throw new Error(appended.left._tag)
    grown({ events: extent.events + events.length })
  }
  const begin = (streams: ReadonlyArray<Begun>): ReadonlyArray<Promise<void>> =>
    streams.map(({ stream, events }) => append(stream, noEvents, events))

  /** The next numbers of a kind. */
  const next = (kind: 'sales' | 'subscriptions' | 'renewals' | 'calls', count: number): ReadonlyArray<number> => {
    const first = extent[kind]
    grown({ [kind]: first + count })
    return Array.from({ length: count }, (_, index) => first + index)
  }

  const sell = async (count: number): Promise<void> => {
    await Promise.all(next('sales', count).flatMap((n) => begin(sale(n))))
  }
  /** Renews these subscriptions: reads each, decides, and appends to it and to new streams. */
  const renew = async (subscriptions: ReadonlyArray<number>): Promise<void> => {
    const numbers = next('renewals', subscriptions.length)
    await Promise.all(
      subscriptions.map(async (number, index) => {
        const id = subscriptionOf(number)
        const stream = `${Subscription.category}-${id}`
        const read = await store.readStream(stream)()
        if (read._tag === 'Left') throw new Error(read.left._tag)
        const { own, others } = renewal(numbers[index] ?? 0, id, read.right.events)
        await Promise.all([append(stream, read.right.head, own), ...begin(others)])
      }),
    )
    const full = Math.floor(extent.renewals / chargesInCall) - extent.calls
    await Promise.all(next('calls', full).flatMap((n) => begin(call(n))))
  }
  /** Sales, new subscribers, and renewals of those of earlier steps. */
  const step = async (): Promise<void> => {
    if (extent.events === 0) await Promise.all(begin(Array.from({ length: endpoints }, (_, n) => endpoint(n))))
    const steps = extent.subscriptions / newAtOnce
    const due = ages.flatMap((age) => numbersOf(steps - age))
    await Promise.all([
      sell(salesAtOnce),
      ...next('subscriptions', newAtOnce).flatMap((n) => begin([subscription(n)])),
      renew(due),
    ])
  }
  return { extent: () => extent, sell, renew, step }
}

/** The subscriptions that began in a step; none before the first. */
const numbersOf = (step: number): ReadonlyArray<number> =>
  step < 0 ? [] : Array.from({ length: newAtOnce }, (_, index) => step * newAtOnce + index)
