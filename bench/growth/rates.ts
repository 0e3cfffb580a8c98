import { Checkout, dayMs, Payment, Subscription } from '@quittance/domain'
import { readModels, sqliteReading } from '@quittance/projections'
import { sampleContext } from '../sample-events.ts'
import { deliveriesInTurn } from './deliveries.ts'
import type { OpenLog } from './log.ts'
import { checkoutOf, customerOf, momentOf, paymentOf, product, subscriptionOf } from './names.ts'
import { chargesInCall } from './renewal.ts'

/** What is measured, in the order of the page. */
export const writes = ['sales by one caller', 'sales by 64 callers', 'renewals', 'webhook deliveries'] as const
export const reads = [
  'loads of any stream',
  'payments by id',
  'pages of payments',
  'access checks',
  'lists of checkouts',
  'looks for due subscriptions',
] as const
export type Kind = (typeof writes | typeof reads)[number]
export const kinds: ReadonlyArray<Kind> = [...writes, ...reads]

const { merchantId, environment } = sampleContext(0)
const scope = { merchantId, environment }
const pageSize = 20

/** A round of each kind, which answers how many it has done. What is read is any of all there is. */
export const roundsOf = ({ store, shop, deliveries }: OpenLog): Readonly<Record<Kind, () => Promise<number>>> => {
  const { payments, access, checkouts, subscriptions } = readModels(sqliteReading(store.reader))
  const any = (of: 'sales' | 'subscriptions'): number => Math.floor(Math.random() * shop.extent()[of])
  const streams = [
    () => `${Checkout.category}-${checkoutOf(any('sales'))}`,
    () => `${Payment.category}-${paymentOf(any('sales'))}`,
    () => `${Subscription.category}-${subscriptionOf(any('subscriptions'))}`,
  ]
  /** Work whose answers must not be empty: what finds nothing is quick. */
  const round =
    (times: number, work: (n: number) => Promise<number>, each = 1) =>
    async (): Promise<number> => {
      for (let n = 0; n < times; n += 1) if ((await work(n)) === 0) throw new Error('something is missing')
      return times * each
    }
  const sell = async (count: number): Promise<number> => {
    await shop.sell(count)
    return count
  }
  /** Of subscriptions as far from each other as can be. */
  const renew = async (): Promise<number> => {
    const [all, first] = [shop.extent().subscriptions, any('subscriptions')]
    const apart = Math.floor(all / chargesInCall)
    await shop.renew(Array.from({ length: chargesInCall }, (_, index) => (first + index * apart) % all))
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
    for await (const _ of subscriptions.due(environment, now)) return 1
    return 0
  }
  return {
    'sales by one caller': round(100, () => sell(1)),
    'sales by 64 callers': round(2, () => sell(64), 64),
    renewals: round(1, renew, chargesInCall),
    'webhook deliveries': round(50, deliver, deliveriesInTurn),
    'loads of any stream': round(1_500, load),
    'payments by id': round(2_000, async () => ((await payments.withId(paymentOf(any('sales')))) === null ? 0 : 1)),
    'pages of payments': round(100, async () => {
      const page = await payments.page({ ...scope, limit: pageSize, startingAfter: paymentOf(1 + any('sales')) })
      return page.rows.length
    }),
    'access checks': round(
      2_000,
      async () => (await access.withKeyUnder(scope, customerOf(any('sales')), product)).length,
    ),
    'lists of checkouts': round(100, async () => {
      const startingAfter = checkoutOf(1 + any('sales'))
      return (await checkouts.page({ ...scope, status: 'completed', limit: pageSize, startingAfter })).rows.length
    }),
    'looks for due subscriptions': round(50, lookForDue),
  }
}
