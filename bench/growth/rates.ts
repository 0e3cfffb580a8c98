import { Checkout, dayMs, Payment, Subscription } from '@quittance/domain'
import { readModels, sqliteReading } from '@quittance/projections'
import { sampleContext } from '../sample-events.ts'
import { deliveriesInTurn } from './deliveries.ts'
import type { OpenLog } from './log.ts'
import { checkoutOf, customerOf, momentOf, paymentOf, productOf, stride, subscriptionOf } from './names.ts'
import { chargesInCall } from './renewal.ts'

/** What is measured, in the order of the page. */
export const writes = ['sales by one caller', 'sales by 64 callers', 'renewals', 'webhook deliveries'] as const
export const reads = [
  'loads of any stream',
  'payments by id',
  'pages of payments',
  'access checks',
  'lists of checkouts',
  'due subscriptions',
] as const
export type Kind = (typeof writes | typeof reads)[number]
export const kinds: ReadonlyArray<Kind> = [...writes, ...reads]

const { merchantId, environment } = sampleContext(0)
const scope = { merchantId, environment }
const pageSize = 20
const dueAtOnce = 100
const roundMs = 200

/** A round of each kind, which answers how many it has done. What is read is any of all there is. */
export const roundsOf = ({ log, store, shop, deliveries }: OpenLog): Readonly<Record<Kind, () => Promise<number>>> => {
  const { payments, access, checkouts, subscriptions } = readModels(sqliteReading(store.reader))
  const below = (count: number): number => Math.floor(Math.random() * count)
  /** The number of any in the history, but the first of a stretch. */
  const any = (of: 'sales' | 'subscriptions'): number =>
    below(log.stretches) * stride + 1 + below(log.inStretch[of] - 1)
  const streams = [
    () => `${Checkout.category}-${checkoutOf(any('sales'))}`,
    () => `${Payment.category}-${paymentOf(any('sales'))}`,
    () => `${Subscription.category}-${subscriptionOf(any('subscriptions'))}`,
  ]
  /**
   * Works for a while, and answers how many it did: so many each time, or what was found. What finds nothing is quick,
   * and wrong.
   */
  const round =
    (work: (n: number) => Promise<number>, each: number | 'found' = 1) =>
    async (): Promise<number> => {
      const end = performance.now() + roundMs
      let done = 0
      for (let times = 0; times === 0 || performance.now() < end; times += 1) {
        const found = await work(times)
        if (found === 0) throw new Error('something is missing')
        done += each === 'found' ? found : each
      }
      return done
    }
  const sell = async (count: number): Promise<number> => {
    await shop.sell(count)
    return count
  }
  /** Of 16 subscriptions from all over the history. */
  const renew = async (): Promise<number> => {
    const chosen = new Set<number>()
    while (chosen.size < chargesInCall) chosen.add(any('subscriptions'))
    await shop.renew([...chosen])
    return chargesInCall
  }
  const deliver = async (): Promise<number> => {
    await deliveries.deliver()
    return deliveriesInTurn
  }
  const load = async (n: number): Promise<number> => {
    const read = await store.readStream(streams[n % streams.length]?.() ?? '')()
    return read._tag === 'Left' ? 0 : read.right.events.length
  }
  const lookForDue = async (): Promise<number> => {
    const now = momentOf(any('sales')) + 40 * dayMs
    await subscriptions.nextDue(environment, now)
    let found = 0
    for await (const _ of subscriptions.due(environment, now)) if (++found === dueAtOnce) break
    return found
  }
  return {
    'sales by one caller': round(() => sell(1)),
    'sales by 64 callers': round(() => sell(64), 64),
    renewals: round(renew, chargesInCall),
    'webhook deliveries': round(deliver, deliveriesInTurn),
    'loads of any stream': round(load),
    'payments by id': round(async () => ((await payments.withId(paymentOf(any('sales')))) === null ? 0 : 1)),
    'pages of payments': round(async () => {
      const page = await payments.page({ ...scope, limit: pageSize, startingAfter: paymentOf(any('sales')) })
      return page.rows.length
    }),
    'access checks': round(async () => {
      const sale = any('sales')
      return (await access.withKeyUnder(scope, customerOf(sale), productOf(sale))).length
    }),
    'lists of checkouts': round(async () => {
      const startingAfter = checkoutOf(any('sales'))
      return (await checkouts.page({ ...scope, status: 'completed', limit: pageSize, startingAfter })).rows.length
    }),
    'due subscriptions': round(lookForDue, 'found'),
  }
}
