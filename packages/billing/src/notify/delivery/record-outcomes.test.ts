import { DeliveryId, EventId, HttpUrl, unixMs } from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { rowsOf, type SqlProgram } from '@quittance/event-store'
import { toDo } from '../../stores/deliveries/to-do.ts'
import { openStoreDatabase } from '../../stores/testing/store-database.ts'
import type { Attempted } from './outcome.ts'
import { recordOutcomes } from './record-outcomes.ts'

const at = unixMs(1_800_000_000_000)
const webhookId = 'web_1'
const scope = { merchantId: 'mer_1', environment: 'testnet' } as const

const outcome: Attempted = {
  _tag: 'Attempted',
  endpoint: {
    ...scope,
    id: webhookId,
    url: decoded(HttpUrl, 'https://shop.example/hooks'),
    isDisabled: false,
    secretNames: () => [],
    position: 1n,
    createdAt: at,
    changedAt: at,
    reads: () => true,
    selects: () => true,
  },
  startedAt: at,
  durationMs: 1,
  delayMs: null,
  result: { _tag: 'Answered', status: 500, body: '' },
}

it('recording a failed attempt does the same when it runs again: it draws chance and the time before', async () => {
  const database = await openStoreDatabase()
  const list = toDo(database.sql)
  await list.sql.run(list.endpoints.enrol(webhookId, at))
  const id = exampleId(DeliveryId, 1)
  await list.sql.run(
    list.deliveries.add({
      ...scope,
      id,
      webhookId,
      kind: 'event',
      eventId: exampleId(EventId, 1),
      eventType: 'product.created',
      resourceId: 'prod_1',
      sequence: 1,
      createdAt: at,
    }),
  )
  const [delivery] = await list.sql.run(list.deliveries.claim(webhookId, at, { owner: 'me', until: at + 1 }, 1))
  if (delivery === undefined) throw new Error('it is due')
  let draws = 0
  const drawn = (): number => {
    draws += 1
    return draws
  }
  const record = recordOutcomes(
    { toDo: list, clock: { now: () => unixMs(at + drawn()) } },
    { owner: 'me', random: () => drawn() / 10 },
  )([{ delivery, outcome }])
  const written: Array<unknown> = []
  const recorded: SqlProgram<void> = function* () {
    yield* record()
    written.push(yield* rowsOf('SELECT * FROM webhook_deliveries')())
    if (written.length === 1) throw new Error('disturbed')
  }
  await expect(list.sql.run(recorded)).rejects.toThrow('disturbed')
  await list.sql.run(recorded)
  expect(written[1]).toEqual(written[0])
  expect(written[1]).toMatchObject([{ attempts: 1, status: 'pending', due_at: expect.any(Number) }])
  expect(draws).toBe(2)
  await database.close()
})
