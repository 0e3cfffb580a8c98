import { holdingEndpoints, openTables, toDo } from '@quittance/billing/testing/internals'
import { DeliveryId, EventId } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import { runNow, type SqliteEventStore, sqlitePrograms } from '@quittance/event-store/sqlite'
import { sampleContext } from '../sample-events.ts'
import { endpointOf, idOf, momentOf, paymentOf } from './names.ts'
import { endpoints as endpointCount } from './shop.ts'

/** As many as the deliverer takes in turn for one endpoint. */
export const deliveriesInTurn = 8
const owner = 'a process'
const answer = { status: 200, body: 'received', failure: null, durationMs: 40 }

/** Deliveries of webhooks, in the file of their log, as the deliverer lists, claims and ends them. */
export const openDeliveries = (store: SqliteEventStore, from: number) => {
  let listed = from
  const sql = sqlitePrograms(store.beside)
  runNow(store.beside, openTables(sql.dialect))
  const { deliveries, endpoints } = toDo(sql)
  const { merchantId, environment } = sampleContext(0)

  /** The n-th delivery: of a payment that was confirmed. */
  const delivery = (n: number, webhookId: string) => ({
    ...{ id: idOf(DeliveryId, n), webhookId, merchantId, environment, kind: 'event' as const },
    ...{ eventId: idOf(EventId, n), eventType: 'payment.confirmed', resourceId: paymentOf(n), sequence: n },
    createdAt: momentOf(n),
  })
  const held = <A>(webhookId: string, work: SqlProgram<A>) => {
    const program: SqlProgram<A> = function* () {
      yield* endpoints.hold(webhookId)()
      const done = yield* work()
      yield* endpoints.refresh(webhookId)()
      return done
    }
    return sql.run(program, holdingEndpoints)
  }
  /** Takes the next deliveries of one endpoint from their listing to their end, in three transactions. */
  const deliver = async (): Promise<void> => {
    const first = listed
    listed += deliveriesInTurn
    const webhookId = endpointOf((first / deliveriesInTurn) % endpointCount)
    const [startedAt, endedAt] = [momentOf(listed), momentOf(listed + 1)]
    await held(webhookId, function* () {
      for (let n = first; n < listed; n += 1) yield* deliveries.add(delivery(n, webhookId))()
    })
    const lease = { owner, until: endedAt }
    const claimed = await held(webhookId, deliveries.claim(webhookId, startedAt, lease, deliveriesInTurn))
    if (claimed.length !== deliveriesInTurn) throw new Error(`${claimed.length} deliveries were due`)
    const ended = { status: 'delivered' as const, startedAt, endedAt, dueAt: null, answer }
    await held(webhookId, function* () {
      for (const each of claimed) yield* deliveries.end(each, owner, ended)()
    })
  }
  return {
    listed: () => listed,
    enrol: async (): Promise<void> => {
      for (let n = 0; n < endpointCount; n += 1) await sql.run(endpoints.enrol(endpointOf(n), momentOf(0)))
    },
    deliver,
  }
}
