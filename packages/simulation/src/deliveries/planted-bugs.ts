import type { Services } from '@quittance/billing'
import type { PlantedBug } from '../stage.ts'

type NewDelivery = Parameters<Services['toDo']['deliveries']['add']>[0]

/** Writes an endpoint's cursor before the deliveries up to it. */
const cursorFirst: PlantedBug = (services) => {
  const { toDo } = services
  const { deliveries, endpoints } = toDo
  const delayed: Array<NewDelivery> = []
  return {
    ...services,
    toDo: {
      ...toDo,
      deliveries: { ...deliveries, add: (delivery) => void delayed.push(delivery) },
      transaction: (work) => {
        const result = toDo.transaction(work)
        const rows = delayed.splice(0)
        if (rows.length > 0)
          toDo.transaction(() => {
            rows.forEach(deliveries.add)
            for (const { webhookId } of rows) endpoints.refresh(webhookId)
          })
        return result
      },
    },
  }
}

/** Lets later events of a resource pass one that fails. */
const letPass: PlantedBug = (services) => {
  const { toDo } = services
  const { deliveries, database } = toDo
  const pass = database.prepare(
    `UPDATE webhook_deliveries SET due_at = ? WHERE webhook_id = ? AND resource_id = ?
       AND finished_at IS NULL AND due_at IS NULL AND leased_until IS NULL`,
  )
  return {
    ...services,
    toDo: {
      ...toDo,
      deliveries: {
        ...deliveries,
        end: (delivery, owner, ended) => {
          deliveries.end(delivery, owner, ended)
          if (ended.status === 'pending') pass.run(ended.endedAt, delivery.webhookId, delivery.resourceId)
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
