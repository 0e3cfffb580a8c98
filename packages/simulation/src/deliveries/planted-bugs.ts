import type { Services } from '@quittance/billing'
import { changesOf, rowsOf, type Sql } from '@quittance/event-store'
import type { PlantedBug } from '../stage.ts'

const nothing = rowsOf('SELECT 1')

type NewDelivery = Parameters<Services['toDo']['deliveries']['add']>[0]

/** Writes an endpoint's cursor before the deliveries up to it. */
const cursorFirst: PlantedBug = (services) => {
  const { toDo } = services
  const { deliveries, endpoints } = toDo
  const delayed: Array<NewDelivery> = []
  const run: Sql['run'] = async (program, options) => {
    const result = await toDo.sql.run(program, options)
    const rows = delayed.splice(0)
    if (rows.length > 0)
      await toDo.sql.run(function* () {
        for (const row of rows) yield* deliveries.add(row)()
        for (const { webhookId } of rows) yield* endpoints.refresh(webhookId)()
      })
    return result
  }
  return {
    ...services,
    toDo: {
      ...toDo,
      deliveries: {
        ...deliveries,
        add: (delivery) =>
          function* () {
            delayed.push(delivery)
            yield* nothing()
          },
      },
      sql: { ...toDo.sql, run },
    },
  }
}

/** Lets later events of a resource pass one that fails. */
const letPass: PlantedBug = (services) => {
  const { toDo } = services
  const { deliveries } = toDo
  const pass = `UPDATE webhook_deliveries SET due_at = ? WHERE webhook_id = ? AND resource_id = ?
    AND finished_at IS NULL AND due_at IS NULL AND leased_until IS NULL`
  return {
    ...services,
    toDo: {
      ...toDo,
      deliveries: {
        ...deliveries,
        end: (delivery, owner, ended) =>
          function* () {
            yield* deliveries.end(delivery, owner, ended)()
            if (ended.status === 'pending')
              yield* changesOf(pass, ended.endedAt, delivery.webhookId, delivery.resourceId)()
          },
      },
    },
  }
}

/** Bugs that the simulation must find. */
export const plantedDeliveryBugs: Readonly<Record<string, PlantedBug>> = {
  'the cursor moves before the rows are written': cursorFirst,
  'an event that fails lets later ones of its resource pass': letPass,
}
