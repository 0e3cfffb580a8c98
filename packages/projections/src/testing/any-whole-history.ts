import { Subscription, SubscriptionId } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import fc from 'fast-check'
import { anyHistory, type Log, write } from './any-history.ts'
import { anyLife } from './any-life.ts'
import { anySales } from './any-sales.ts'

/** Steps of everything, then whole lives of subscriptions, then sales. */
export const anyWholeHistory = fc.tuple(anyHistory, fc.array(anyLife, { maxLength: 3 }), anySales)

type WholeHistory = typeof anyWholeHistory extends fc.Arbitrary<infer History> ? History : never

/** Writes it to a log. */
export const writeWhole =
  ([steps, lives, sales]: WholeHistory) =>
  async (log: Log): Promise<void> => {
    await write(log, steps)
    for (const [index, life] of lives.entries())
      await log.append(
        `subscription-${exampleId(SubscriptionId, index)}`,
        life.map(({ event }) => Subscription.events.encodeEvent(event)),
      )
    await write(log, sales)
  }
