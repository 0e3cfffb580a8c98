import { Subscription } from '@quittance/domain'
import { type EventStore, type Head, noEvents } from '@quittance/event-store'
import { subscriptionOf } from './names.ts'
import { call, chargesInCall, renewal, subscription } from './renewal.ts'
import { type Begun, endpoint, sale } from './sale.ts'

/** How many there are of each. */
export type Counts = { readonly sales: number; readonly subscriptions: number; readonly renewals: number }

export const none: Counts = { sales: 0, subscriptions: 0, renewals: 0 }

/** As many as a merchant may have. */
export const endpoints = 16
const [salesAtOnce, newAtOnce] = [16, 4]
/** How many steps ago those began whose subscriptions renew. Four renewals each, so that lives are as long in any log. */
const ages = [1, 2, 3, 4]

/** Lets a shop's log grow by what is numbered from `first` on, of which there are some. What it appends at once shares commits. */
export const openShop = (store: EventStore, first: number, known: Counts) => {
  let counts = known
  const append = async (stream: string, head: Head, events: Begun['events']): Promise<void> => {
    const appended = await store.append(stream, head, events)()
    if (appended._tag === 'Left') throw new Error(`${stream}: ${appended.left._tag}`)
  }
  const begin = (streams: ReadonlyArray<Begun>): ReadonlyArray<Promise<void>> =>
    streams.map(({ stream, events }) => append(stream, noEvents, events))

  /** The next numbers of a kind. */
  const next = (kind: keyof Counts, count: number): ReadonlyArray<number> => {
    const from = first + counts[kind]
    counts = { ...counts, [kind]: counts[kind] + count }
    return Array.from({ length: count }, (_, index) => from + index)
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
    const full = numbers.filter((n) => n % chargesInCall === chargesInCall - 1).map((n) => n + 1 - chargesInCall)
    await Promise.all(full.flatMap((n) => begin(call(n))))
  }
  /** Sales, new subscribers, and renewals of those of earlier steps. */
  const step = async (): Promise<void> => {
    const steps = counts.subscriptions / newAtOnce
    if (steps === 0) await Promise.all(begin(Array.from({ length: endpoints }, (_, n) => endpoint(n))))
    const due = ages.flatMap((age) => numbersOf(steps - age))
    await Promise.all([
      sell(salesAtOnce),
      ...next('subscriptions', newAtOnce).flatMap((n) => begin([subscription(n)])),
      renew(due),
    ])
  }
  return { counts: () => counts, sell, renew, step }
}

/** The subscriptions that began in a step; none before the first. */
const numbersOf = (step: number): ReadonlyArray<number> =>
  step < 0 ? [] : Array.from({ length: newAtOnce }, (_, index) => step * newAtOnce + index)
