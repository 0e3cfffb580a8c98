import { setImmediate as nextTurn } from 'node:timers/promises'
import { secondMs } from '@quittance/domain'
import { changesOf, rowsOf } from '@quittance/event-store'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'

/** What an endpoint was sent more than once, or out of the order of its resource. */
const disorderIn = (
  received: ReadonlyArray<{ readonly id: string; readonly resourceId: string; readonly sequence: number }>,
) => {
  const last = new Map<string, number>()
  return received.filter(({ resourceId, sequence }) => {
    const before = last.get(resourceId) ?? 0
    last.set(resourceId, sequence)
    return sequence !== before + 1
  })
}

describe('deliverers of several processes', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  it('deliverers share the work, send nothing twice, and keep the order of each resource', async () => {
    const shop = await stage.endpointWith()
    const other = await stage.openProcess()
    const ids = await Promise.all(Array.from({ length: 30 }, () => stage.makeProduct()))
    for (const name of ['A', 'B']) for (const id of ids) await stage.renameProduct(id, name)
    await Promise.all([stage.deliverer.settle(), other.deliverer.settle()])
    await stage.until(() => shop.received.length >= 90)
    await Promise.all([stage.deliverer.settle(), other.deliverer.settle()])
    expect(shop.received).toHaveLength(90)
    expect(disorderIn(shop.received)).toEqual([])
  })

  it('a deliverer retries the attempts of a dead process once their leases end', async () => {
    let wall = Date.now()
    const shop = await stage.endpointWith(() => 'silence')
    const dying = await stage.openProcess({
      sender: { post: () => () => new Promise(() => undefined), close: async () => undefined },
    })
    await stage.makeProduct()
    void dying.deliverer.settle()
    while ((await leased(stage)) !== 1) await nextTurn()
    const heir = await stage.openProcess({ wallNow: () => wall })
    shop.known.respond = () => 200
    await heir.deliverer.settle()
    expect(shop.received).toEqual([])
    wall += 90 * secondMs
    await heir.deliverer.settle()
    expect(shop.received).toMatchObject([{ type: 'product.created', sequence: 1 }])
  })

  it('a deliverer continues where the previous one was stopped', async () => {
    const shop = await stage.endpointWith(() => 500)
    const id = await stage.makeProduct()
    await stage.deliverer.settle()
    shop.known.respond = () => 200
    stage.network.wait(5 * secondMs)
    const next = await stage.openProcess()
    await next.deliverer.settle()
    expect(shop.received.map(({ resourceId }) => resourceId)).toEqual([id, id])
  })

  it('a deliverer sends events that another process has recorded, also to an endpoint that it has enabled', async () => {
    const worker = await stage.openProcess()
    const stop = new AbortController()
    const defects: Array<unknown> = []
    let turns = 0
    const running = worker.deliverer.run(
      stop.signal,
      (defect) => defects.push(defect),
      () => {
        turns += 1
      },
    )
    const shop = await stage.endpointWith()
    await stage.makeProduct()
    await stage.until(() => shop.received.length === 1)
    stop.abort()
    await running
    expect({ received: shop.received.length, defects, worked: turns > 0 }).toEqual({
      received: 1,
      defects: [],
      worked: true,
    })
  })

  it('a deliverer sends recent events again when the to-do list is lost', async () => {
    const shop = await stage.endpointWith()
    const id = await stage.makeProduct()
    await stage.deliverer.settle()
    for (const table of ['webhook_feed', 'webhook_endpoints', 'webhook_deliveries'])
      await stage.services.toDo.sql.run(changesOf(`DELETE FROM ${table}`))
    const next = await stage.openProcess()
    await stage.renameProduct(id, 'Another book')
    await next.deliverer.settle()
    expect(shop.received.map(({ sequence }) => sequence)).toEqual([1, 1, 2])
    expect(new Set(shop.received.map((each) => each.id)).size).toBe(2)
  })

  it('a deliverer shuts down in order, and leaves open attempts to be retried', async () => {
    const shop = await stage.endpointWith(() => 'silence')
    const worker = await stage.openProcess({})
    const stop = new AbortController()
    const running = worker.deliverer.run(stop.signal, () => undefined)
    await stage.makeProduct()
    await stage.until(() => shop.received.length === 1)
    stop.abort()
    await running
    expect(await leased(stage)).toBe(0)
    shop.known.respond = () => 200
    await stage.deliverer.settle()
    expect(shop.received).toHaveLength(2)
  })
})

const leased = async ({ services: { toDo } }: DeliveryStage): Promise<number> =>
  (await toDo.sql.run(rowsOf('SELECT 1 FROM webhook_deliveries WHERE leased_until IS NOT NULL'))).length
