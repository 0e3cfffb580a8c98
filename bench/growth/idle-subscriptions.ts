import { join } from 'node:path'
import { createClient } from '@quittance/client'
import type { NewEvent, RecordedEvent } from '@quittance/domain'
import { Subscription } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { buildProjections, sqliteEventStore } from '@quittance/event-store/sqlite'
import { openService } from '@quittance/http/testing/service'
import { inlineProjections } from '@quittance/projections'
import { checkoutOf, customerOf, digestOf, subscriptionOf } from './names.ts'

const atOnce = 500

/** Makes a service in a data directory that has sold one subscription, which renews in a month. */
export const sellSubscription = async (dataDir: string): Promise<void> => {
  const service = await openService(dataDir)
  const client = createClient({ baseUrl: service.url, apiKey: service.facts.api_key })
  try {
    const { id: product_id } = await client.products.create({
      ...{ name: 'A club', type: 'subscription', recurring_period: 'month', currency_code: 'EUR', price_amount: 10 },
    })
    const checkout = await client.checkouts.createForProduct({ product_id, customer_email: 'ada@club.example' })
    await client.sandbox.pay({ checkout_id: checkout.id })
  } finally {
    await service.close()
  }
}

/** The beginning of another subscription like one that has begun, of another customer, checkout and mandate. */
const another = ({ type, schemaVersion, data, metadata }: RecordedEvent, n: number): NewEvent => {
  const { previousHash: _, hash: __, ...context } = metadata
  const renamed = JSON.stringify(data)
    .replace(/cus_\w+/, customerOf(n))
    .replace(/chk_\w+/, checkoutOf(n))
    .replace(/(?<="mandateId":")\w+/, digestOf('mandate', n))
  const id = `0198a6b2-0000-5000-8000-${n.toString(16).padStart(12, '0')}`
  return { id, type, schemaVersion, data: JSON.parse(renamed), context }
}

/** Adds subscriptions like the one that was sold, and their read models. */
export const addSubscriptions = async (dataDir: string, from: number, to: number): Promise<void> => {
  const path = join(dataDir, 'quittance.db')
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const store = sqliteEventStore({ path, clock: Date.now, projections: [], durability })
  const sold = await firstOf(store.readAll(0n, { streamPrefixes: [`${Subscription.category}-`] }))
  for (let first = from; first < to; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, to - first) }, (_, index) => first + index)
    const appended = numbers.map((n) =>
      store.append(`${Subscription.category}-${subscriptionOf(n)}`, noEvents, [another(sold, n)])(),
    )
    for (const each of await Promise.all(appended)) if (each._tag === 'Left') throw new Error(each.left._tag)
  }
  store.close()
  await buildProjections(path, inlineProjections)
}

const firstOf = async (events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent> => {
  for await (const event of events) return event
  throw new Error('no subscription was sold')
}
