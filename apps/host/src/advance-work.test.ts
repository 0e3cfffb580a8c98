import { type DeliveryStage, openDeliveryStage } from '@quittance/billing/testing/delivery/delivery-stage'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { advanceWork } from './advance-work.ts'

const noWorker = null

describe('how long deliveries hold up an advance', () => {
  let stage: DeliveryStage
  let nowMs: number
  let over: AbortController
  let timeouts: Array<number>
  const stopwatch = {
    now: () => nowMs,
    timeout: (ms: number) => {
      timeouts.push(ms)
      return over.signal
    },
  }
  beforeEach(async () => {
    stage = await openDeliveryStage()
    ;[nowMs, over, timeouts] = [0, new AbortController(), []]
  })
  afterEach(() => stage.close())

  it('stops waiting for a silent endpoint after ten seconds, and then waits for no delivery', async () => {
    const silent = await stage.endpointWith(() => {
      nowMs += 10_000
      over.abort()
      return 'silence'
    })
    const work = advanceWork(noWorker, stage.deliverer, stopwatch)
    await stage.makeProduct()
    await work.settle()
    await stage.makeProduct()
    await work.settle()
    expect(timeouts).toEqual([10_000])
    expect(silent.received).toHaveLength(1)
  })

  it('counts the attempts of all turns, and the turns that only a retry makes', async () => {
    const failing = await stage.endpointWith(() => {
      nowMs += 4_000
      return 500
    })
    const work = advanceWork(noWorker, stage.deliverer, stopwatch)
    await stage.makeProduct()
    await work.settle()
    for (let due = await work.nextDue(); due !== null; due = await work.nextDue()) {
      stage.network.wait(due - stage.network.now())
      nowMs += 1_000
      await work.settle()
    }
    expect(timeouts).toEqual([10_000, 5_000])
    expect(failing.received).toHaveLength(2)
  })

  it("does not count the worker's own turns", async () => {
    const shop = await stage.endpointWith()
    const due = stage.network.now() + 60_000
    const step = TE.fromIO(() => {
      nowMs += 60_000
    })
    const work = advanceWork({ step, nextDue: async () => due }, stage.deliverer, stopwatch)
    await work.settle()
    expect(await work.nextDue()).toBe(due)
    nowMs += 60_000
    await stage.makeProduct()
    await work.settle()
    expect(timeouts).toEqual([10_000, 10_000])
    expect(shop.received).toHaveLength(1)
  })
})
