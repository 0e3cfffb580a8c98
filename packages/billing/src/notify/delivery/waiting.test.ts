import { hourMs, minuteMs } from '@quittance/domain'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'
import { done, present } from '../../testing/outcomes.ts'
import { createDeliverer } from './deliverer.ts'
import type { Arrival } from './pump.ts'
import { sender } from './sending/sender.ts'
import { longestWait } from './waiting.ts'

describe('how late events arrive', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  const waits = async () => {
    await stage.services.caughtUp.withAllOwnWrites()
    return {
      testnet: await longestWait(stage.services, 'testnet'),
      mainnet: await longestWait(stage.services, 'mainnet'),
    }
  }
  const recordedAt = async (id: string) =>
    present((await done(stage.services.store.readStream(`product-${id}`))).events[0]).recordedAt

  it('counts each event once, from its recording to its first successful delivery', async () => {
    const arrivals: Array<Arrival> = []
    const { deliverer } = await stage.openProcess({ onArrival: (arrival) => arrivals.push(arrival) })
    const shop = await stage.endpointWith(() => (shop.received.length === 1 ? 500 : 200))
    const id = await stage.makeProduct()
    stage.network.wait(minuteMs)
    await deliverer.settle()
    expect({ posts: shop.received.length, arrivals }).toEqual({ posts: 1, arrivals: [] })
    stage.network.wait(hourMs)
    await deliverer.settle()
    const delayMs = Math.max(0, stage.network.now() - (await recordedAt(id)))
    expect({ posts: shop.received.length, arrivals }).toEqual({
      posts: 2,
      arrivals: [{ environment: 'testnet', delayMs }],
    })
  })

  it('counts no event that is sent again because a merchant asks, and no test of an endpoint', async () => {
    const arrivals: Array<Arrival> = []
    const shop = await stage.endpointWith()
    await stage.makeProduct()
    await stage.deliverer.settle()
    const { deliverer } = await stage.openProcess({ onArrival: (arrival) => arrivals.push(arrival) })
    const { deliveries } = stage.billing
    const page = { merchantId: stage.merchantId, environment: 'testnet', limit: 10 } as const
    const { resources } = await done(deliveries.list(shop.id, page))
    await done(deliveries.redeliver(stage.now(), shop.id, present(resources[0]).id))
    await done(deliveries.test(stage.now(), shop.id))
    await deliverer.settle()
    expect({ posts: shop.received.length, arrivals }).toEqual({ posts: 3, arrivals: [] })
  })

  it('reads the stream of an event once for each attempt, although its delay is measured', async () => {
    const { services } = stage
    const read: Array<string> = []
    const store: typeof services.store = {
      ...services.store,
      readStream: (...request) => {
        read.push(request[0])
        return services.store.readStream(...request)
      },
    }
    const posting = sender({ totalMs: 60_000 })
    const deliverer = createDeliverer(
      { ...services, store },
      { sender: posting, roles: null, onArrival: () => undefined },
    )
    const shop = await stage.endpointWith(() => (shop.received.length === 1 ? 500 : 200))
    const id = await stage.makeProduct()
    await deliverer.settle()
    stage.network.wait(hourMs)
    await deliverer.settle()
    await posting.close()
    const ofProduct = read.filter((stream) => stream === `product-${id}`)
    expect({ posts: shop.received.length, reads: ofProduct.length }).toEqual({ posts: 2, reads: 2 })
  })

  it('tells how long the oldest event has waited that nobody has looked at', async () => {
    await stage.endpointWith()
    await stage.deliverer.settle()
    expect(await waits()).toEqual({ testnet: 0, mainnet: 0 })
    await stage.makeProduct()
    stage.network.wait(10 * minuteMs)
    await stage.makeProduct()
    expect(await waits()).toEqual({ testnet: 10 * minuteMs, mainnet: 0 })
    await stage.deliverer.settle()
    expect(await waits()).toEqual({ testnet: 0, mainnet: 0 })
  })

  it('counts what has failed from the time of its next attempt on', async () => {
    await stage.endpointWith(() => 500)
    await stage.makeProduct()
    await stage.deliverer.settle()
    const due = present(await stage.deliverer.nextDue('testnet'))
    expect(await waits()).toEqual({ testnet: 0, mainnet: 0 })
    stage.network.wait(due - stage.network.now() + 5 * minuteMs)
    expect(await waits()).toEqual({ testnet: 5 * minuteMs, mainnet: 0 })
  })
})
