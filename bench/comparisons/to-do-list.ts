import { randomUUID } from 'node:crypto'
import { openSharedTables } from '@quittance/billing'
import { createdId, toDo } from '@quittance/billing/testing/internals'
import { DeliveryId, EventId, unixMs } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import { postgresPrograms } from '@quittance/event-store/postgres'
import { PgBoss } from 'pg-boss'
import type { Comparison } from '../comparing/comparison.ts'
import { perSecond } from '../comparing/run.ts'
import { sampleContext } from '../sample-events.ts'

const atOnce = 50
const [webhookId, owner, queue] = ['whk_bench', 'bench', 'bench']

/** A delivery of an event of a resource of its own, so that none waits for another. */
const newDelivery = () => {
  const { merchantId, environment } = sampleContext(0)
  const [createdAt, of] = [unixMs(Date.now()), randomUUID()]
  return {
    id: createdId(DeliveryId, createdAt, of),
    webhookId,
    merchantId,
    environment: 'testnet' as const,
    kind: 'event' as const,
    eventId: createdId(EventId, createdAt, of),
    eventType: `${environment}.sample`,
    resourceId: of,
    sequence: 0,
    createdAt,
  }
}

const openOurs = async (connectionString: string) => {
  const sql = await postgresPrograms({ connectionString, connections: 3 })
  await openSharedTables(sql)
  const { deliveries } = toDo(sql)
  const lease = { owner, until: Date.now() + 600_000 }
  const addAll = (all: ReadonlyArray<ReturnType<typeof newDelivery>>): SqlProgram<void> =>
    function* () {
      for (const each of all) yield* deliveries.add(each)()
    }
  const answer = { status: 200, body: null, failure: null, durationMs: 1 }
  return {
    close: sql.close,
    turn: async (): Promise<void> => {
      await sql.run(addAll(Array.from({ length: atOnce }, newDelivery)))
      const claimed = await sql.run(deliveries.claim(webhookId, unixMs(Date.now()), lease, atOnce))
      if (claimed.length !== atOnce) throw new Error(`${claimed.length} deliveries were due`)
      const now = unixMs(Date.now())
      const ended = { status: 'delivered' as const, startedAt: now, endedAt: now, dueAt: null, answer }
      await sql.run(function* () {
        for (const each of claimed) yield* deliveries.end(each, owner, ended)()
      })
    },
  }
}

const openPeer = async (connectionString: string) => {
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue(queue)
  return {
    close: () => boss.stop({ graceful: false }),
    turn: async (): Promise<void> => {
      await boss.insert(
        queue,
        Array.from({ length: atOnce }, () => ({ data: newDelivery() })),
      )
      const jobs = await boss.fetch(queue, { batchSize: atOnce })
      if (jobs.length !== atOnce) throw new Error(`${jobs.length} jobs were due`)
      await boss.complete(
        queue,
        jobs.map(({ id }) => id),
      )
    },
  }
}

export const toDoList: Comparison = {
  name: 'to-do-list',
  file: 'to-do-list.ts',
  measures: `Webhook deliveries on PostgreSQL: ${atOnce} are added in one transaction, taken in a second and ended in a third, each durably, before the next ${atOnce}. Ours keeps the events of a resource in order and the answer of each delivery, by up to two statements for each one added, taken or ended. The peer adds, fetches and completes as many jobs with the same data by its functions for batches, and keeps no order among those of a resource.`,
  unit: 'jobs per second',
  ours: 'our list of deliveries',
  peer: 'pg-boss',
  packages: ['pg-boss', 'pg'],
  aim: { _tag: 'none' },
  missedBecause: null,
  open: async ({ cluster, amount }) => {
    const server = await cluster()
    const turns = amount(40)
    const ours = await openOurs(server.connectionString)
    const peer = await openPeer(server.connectionString)
    const round = (turn: () => Promise<void>) =>
      perSecond(turns * atOnce, async () => {
        for (let done = 0; done < turns; done += 1) await turn()
      })
    return {
      ours: () => round(ours.turn),
      peer: () => round(peer.turn),
      close: async () => {
        await ours.close()
        await peer.close()
      },
    }
  },
}
