import { Subscription, SubscriptionId } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import type { Life } from '@quittance/domain/testing/subscription-life'
import { inlineProjections, readModels } from '../read-models.ts'
import { sqliteReading } from '../reading.ts'
import { openLog } from './log.ts'

export const id = exampleId(SubscriptionId, 1)

/** Writes the history of a subscription, and opens the read models. */
export const written = async ({ history }: Life) => {
  const log = openLog(inlineProjections)
  await log.append(`${Subscription.category}-${id}`, history.map(Subscription.events.encodeEvent), { occurredAt: 7 })
  const { events } = await log.read(`${Subscription.category}-${id}`)
  return { log, events, models: readModels(sqliteReading(log.store.reader)) }
}

/** How many alarms the to-do list holds for a subscription with this history. */
export const alarmsOf = async (life: Life): Promise<number> => {
  const { log, models } = await written(life)
  let due = 0
  for await (const _ of models.subscriptionAlarms.due('testnet', Number.MAX_SAFE_INTEGER)) due += 1
  log.store.close()
  return due
}
