import { asText, DeliveryId, hourMs, LedgerSequence, minuteMs, secondMs } from '@quittance/domain'
import { decoded, hashOf, payerAccount } from '@quittance/domain/testing'
import { rowsOf } from '@quittance/event-store'
import { createdId } from '../../kernel/derive.ts'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'
import type { Receiver } from '../../testing/delivery/receiver.ts'
import { done, present } from '../../testing/outcomes.ts'
import { book, command, openShop } from '../../testing/shop.ts'
import { createDeliverer } from './deliverer.ts'
import { sender } from './sending/sender.ts'

const dayMs = 24 * hourMs
const told = ({ received }: Pick<Receiver, 'received'>) =>
  received.map(({ type, resourceId, sequence }) => `${type} ${resourceId} ${sequence}`)

describe('delivery', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  describe('delivered events', () => {
    it('sends each event once, signed, with the body that the list of events shows', async () => {
      const shop = await stage.endpointWith()
      const id = await stage.makeProduct()
      await stage.renameProduct(id, 'Another book')
      await stage.deliverer.settle()
      await stage.deliverer.settle()
      const { received, problems } = shop
      expect(problems).toEqual([])
      expect(told(shop)).toEqual([`product.created ${id} 1`, `product.updated ${id} 2`])
      const list = await done(
        stage.billing.events.list({ ...stage.now(), after: null, type: null, resourceId: null, limit: 10 }),
      )
      expect(received.map(({ body }) => body)).toEqual(JSON.parse(JSON.stringify(list.resources)))
    })
    it('sends every event since the creation of the endpoint, even after a long outage of the service', async () => {
      const shop = await stage.endpointWith()
      const id = await stage.makeProduct()
      stage.network.wait(8 * dayMs)
      await stage.deliverer.settle()
      expect(told(shop)).toEqual([`product.created ${id} 1`])
    })
    it('reads events again whose endpoints could not be read', async () => {
      const shop = await stage.endpointWith()
      const { webhooks } = stage.services.readModels
      let fails = false
      const page: typeof webhooks.page = (request) =>
        fails ? Promise.reject(new Error('not now')) : webhooks.page(request)
      const readModels = { ...stage.services.readModels, webhooks: { ...webhooks, page } }
      const posting = sender({ totalMs: 30_000 })
      const deliverer = createDeliverer({ ...stage.services, readModels }, { sender: posting })
      await deliverer.settle()
      const id = await stage.makeProduct()
      fails = true
      await expect(deliverer.settle()).rejects.toThrow('not now')
      fails = false
      await deliverer.settle()
      expect(told(shop)).toEqual([`product.created ${id} 1`])
      await posting.close()
    })
    it('stops waiting for an open attempt once its signal aborts', async () => {
      const shop = await stage.endpointWith(() => 'silence')
      await stage.makeProduct()
      const stop = new AbortController()
      const settled = stage.deliverer.settle(stop.signal)
      await stage.until(() => shop.received.length > 0)
      stop.abort()
      await settled
      expect(told(shop)).toHaveLength(1)
    })
    it('sends nothing while the log went back, and everything once a person has accepted', async () => {
      const shop = await stage.endpointWith()
      const id = await stage.makeProduct()
      const { services, billing } = stage.platform
      const found = { environment: 'testnet', account: payerAccount, transactionHash: hashOf(1) } as const
      await done(services.logStanding.suspect({ ...found, ledger: decoded(LedgerSequence, 1) }))
      await stage.deliverer.settle()
      expect(told(shop)).toEqual([])
      await done(billing.log.accept({ by: asText('Ada'), reason: asText('a test'), isForced: true }))
      await stage.deliverer.settle()
      expect(told(shop)).toEqual([`product.created ${id} 1`])
    })
    it('sends an endpoint only the events that it selects', async () => {
      const some = await stage.endpointWith(undefined, ['product.updated', 'subscription.*'])
      const id = await stage.makeProduct()
      await stage.renameProduct(id, 'Another book')
      await stage.deliverer.settle()
      expect(told(some)).toEqual([`product.updated ${id} 2`])
    })
    it('sends no event from before the creation of the endpoint', async () => {
      const id = await stage.makeProduct()
      const shop = await stage.endpointWith()
      await stage.renameProduct(id, 'Another book')
      await stage.deliverer.settle()
      expect(told(shop)).toEqual([`product.updated ${id} 2`])
    })
    it('selects an event by the selection at the time of the event', async () => {
      const shop = await stage.endpointWith(undefined, ['product.created'])
      const first = await stage.makeProduct()
      await stage.update(shop.id, { events: ['product.updated'] })
      const second = await stage.makeProduct()
      await stage.renameProduct(first, 'Another book')
      await stage.deliverer.settle()
      expect(told(shop).sort()).toEqual([`product.created ${first} 1`, `product.updated ${first} 2`].sort())
      expect(told(shop).join()).not.toContain(second)
    })
    it('sends an endpoint only events of its own merchant', async () => {
      const other = await stage.receiver()
      await stage.endpoint(other, ['*'], await openShop(stage.platform))
      await stage.makeProduct()
      await stage.deliverer.settle()
      expect(told(other)).toEqual([])
    })
    it('sends no event of another merchant, even if a delivery names it', async () => {
      const [shop, other] = [await stage.endpointWith(), await stage.receiver()]
      const otherMerchant = await openShop(stage.platform)
      const { id: webhookId } = await stage.endpoint(other, ['*'], otherMerchant)
      const id = await stage.makeProduct()
      await stage.deliverer.settle()
      expect(told(shop)).toEqual([`product.created ${id} 1`])
      const { sql, deliveries } = stage.services.toDo
      const bounds = { above: '', below: '~', isNewestFirst: true }
      const [made] = await sql.run(deliveries.page(shop.id, bounds, 1))
      const { products } = stage.billing
      const own = await done(products.create(command(stage.platform, otherMerchant), book()))
      const forged = {
        ...present(made),
        id: createdId(DeliveryId, present(made).createdAt, 'forged'),
        webhookId,
        merchantId: otherMerchant,
      }
      await sql.run(deliveries.add(forged))
      await stage.deliverer.settle()
      expect(told(other)).toEqual([`product.created ${own.id} 1`])
    })
    it('signs with the old and the new secret for a day after a rotation', async () => {
      const shop = await stage.endpointWith()
      const { secret } = await done(stage.billing.webhooks.rotateSecret(stage.now(), shop.id))
      shop.known.secrets = [shop.secret, secret]
      await stage.makeProduct()
      await stage.deliverer.settle()
      expect(shop.problems).toEqual([])
      await stage.advance(dayMs)
      shop.known.secrets = [secret]
      await stage.makeProduct()
      await stage.deliverer.settle()
      expect(shop.problems).toEqual([])
      shop.known.secrets = [shop.secret]
      await stage.makeProduct()
      await stage.deliverer.settle()
      expect(shop.problems).toHaveLength(1)
      expect(shop.received).toHaveLength(3)
    })
  })

  describe('a failed attempt', () => {
    it('retries a failed attempt at the times of the schedule, with the same id, until five days after the first', async () => {
      const shop = await stage.endpointWith(() => 500)
      const start = stage.network.now()
      await stage.makeProduct()
      await stage.advance(6 * dayMs)
      const after = [
        0,
        5 * secondMs,
        5 * minuteMs,
        30 * minuteMs,
        ...[2, 5, 10, 14, 20, 24, 24].map((hours) => hours * hourMs),
      ]
      const times = after.map((_, n) => after.slice(0, n + 1).reduce((sum, each) => sum + each, 0))
      expect(shop.received.map(({ at }) => at - start)).toEqual([...times, 5 * dayMs])
      expect(new Set(shop.received.map(({ id }) => id)).size).toBe(1)
    })
    it('delays only later events of the same resource after a failed attempt', async () => {
      const shop = await stage.endpointWith(({ resourceId }) => (resourceId === broken ? 500 : 200))
      const broken = await stage.makeProduct()
      const whole = await stage.makeProduct()
      for (const name of ['A', 'B']) for (const id of [broken, whole]) await stage.renameProduct(id, name)
      await stage.deliverer.settle()
      expect(told(shop).sort()).toEqual(
        [
          `product.created ${broken} 1`,
          ...[`product.created ${whole} 1`, `product.updated ${whole} 2`, `product.updated ${whole} 3`],
        ].sort(),
      )
      shop.known.respond = () => 200
      shop.received.length = 0
      await stage.advance(5 * secondMs)
      expect(told(shop)).toEqual([
        `product.created ${broken} 1`,
        `product.updated ${broken} 2`,
        `product.updated ${broken} 3`,
      ])
    })
    it('sends the next event of a resource once the retries are exhausted', async () => {
      const shop = await stage.endpointWith(({ type }) => (type === 'product.created' ? 500 : 200))
      const id = await stage.makeProduct()
      // What arrives in between keeps the endpoint enabled.
      await stage.renameProduct(id, 'A')
      await stage.advance(4 * dayMs)
      shop.known.respond = ({ resourceId, sequence }) => (resourceId === id && sequence === 1 ? 500 : 200)
      await stage.makeProduct()
      await stage.advance(dayMs)
      expect(told(shop).slice(-1)).toEqual([`product.updated ${id} 2`])
    })
  })

  describe('an endpoint that is down', () => {
    it('sends every event, in order, to an endpoint that is back after 76 hours', async () => {
      const shop = await stage.endpointWith(() => 503)
      const ids: Array<string> = []
      for (let n = 0; n < 20; n++) ids.push(await stage.makeProduct())
      await stage.advance(30 * hourMs)
      for (const id of ids) await stage.renameProduct(id, 'Another book')
      await stage.advance(46 * hourMs)
      shop.known.respond = () => 200
      shop.received.length = 0
      await stage.advance(30 * hourMs)
      expect(shop.problems).toEqual([])
      for (const id of ids)
        expect(told(shop).filter((each) => each.includes(id))).toEqual([
          `product.created ${id} 1`,
          `product.updated ${id} 2`,
        ])
      expect(shop.received).toHaveLength(40)
    })
    it('disables an endpoint after five days of failures, and notifies the other endpoints', async () => {
      const [down, other] = [await stage.endpointWith(() => 500), await stage.endpointWith()]
      await stage.makeProduct()
      await stage.advance(5 * dayMs - 1)
      expect(await stage.isDisabled(down.id)).toBe(false)
      await stage.advance(1)
      expect(await stage.isDisabled(down.id)).toBe(true)
      expect(told(other)).toContain(`webhook.disabled ${down.id} 1`)
      expect(down.received.map(({ type }) => type)).not.toContain('webhook.disabled')
      expect(await stage.disabledBy(down.id)).toEqual([{ reason: 'failing' }])
    })
    it('disables an endpoint at once when it answers 410', async () => {
      const gone = await stage.endpointWith(() => 410)
      await stage.makeProduct()
      await stage.makeProduct()
      await stage.deliverer.settle()
      await stage.advance(6 * dayMs)
      expect(gone.received).toHaveLength(1)
      expect(await stage.disabledBy(gone.id)).toEqual([{ reason: 'gone' }])
    })
    it('keeps an endpoint enabled as long as some events arrive', async () => {
      const shop = await stage.endpointWith(
        ({ type }) => (type === 'product.created' ? 500 : 200),
        ['product.created', 'product.archived'],
      )
      await stage.makeProduct()
      await stage.advance(4 * dayMs)
      shop.known.respond = () => 200
      await stage.advance(2 * dayMs)
      await stage.makeProduct()
      shop.known.respond = () => 500
      await stage.advance(4 * dayMs)
      expect(await stage.isDisabled(shop.id)).toBe(false)
    })
  })

  describe('a disabled endpoint', () => {
    it('sends nothing to a disabled endpoint until it is enabled, then everything that occurred meanwhile', async () => {
      const shop = await stage.endpointWith(() => 500)
      const before = await stage.makeProduct()
      await stage.deliverer.settle()
      await stage.update(shop.id, { isDisabled: true })
      shop.known.respond = () => 200
      shop.received.length = 0
      const during = await stage.makeProduct()
      await stage.advance(10 * dayMs)
      expect(shop.received).toEqual([])
      await stage.update(shop.id, { isDisabled: false })
      await stage.deliverer.settle()
      expect(told(shop).sort()).toEqual([`product.created ${before} 1`, `product.created ${during} 1`].sort())
    })
    it('gives an endpoint another five days after it is enabled again', async () => {
      const shop = await stage.endpointWith(() => 500)
      await stage.makeProduct()
      await stage.advance(6 * dayMs)
      await stage.update(shop.id, { isDisabled: false })
      await stage.makeProduct()
      await stage.advance(4 * dayMs)
      expect(await stage.isDisabled(shop.id)).toBe(false)
    })
    it('drops the deliveries of a deleted endpoint', async () => {
      const shop = await stage.endpointWith(() => 500)
      await stage.makeProduct()
      await stage.deliverer.settle()
      await done(stage.billing.webhooks.remove(stage.now(), shop.id))
      shop.received.length = 0
      await stage.makeProduct()
      await stage.advance(6 * dayMs)
      expect(shop.received).toEqual([])
      for (const table of ['webhook_endpoints', 'webhook_deliveries'])
        expect(await stage.services.toDo.sql.run(rowsOf(`SELECT * FROM ${table}`))).toEqual([])
    })
  })
})

describe('a hanging attempt', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage(2_000)
  })
  afterEach(() => stage.close())

  it('fails an attempt that hangs, is redirected or meets a closed port', async () => {
    const hangs = await stage.endpointWith(() => 'silence')
    const moved = await stage.endpointWith(() => 302)
    const gone = await stage.endpointWith()
    await gone.stop()
    await stage.makeProduct()
    await stage.deliverer.settle()
    expect([hangs, moved].map(({ received }) => received.length)).toEqual([1, 1])
    hangs.known.respond = () => 200
    moved.known.respond = () => 204
    await stage.advance(5 * secondMs)
    await stage.advance(dayMs)
    expect([hangs, moved].map(({ received }) => received.length)).toEqual([2, 2])
  })

  it.each([1, 12])('%i hanging endpoints do not delay others', async (many) => {
    const quick = await stage.endpointWith()
    for (let n = 0; n < many; n++) await stage.endpointWith(() => 'silence')
    await stage.makeProduct()
    const settled = stage.deliverer.settle()
    await stage.until(() => quick.received.length === 1)
    let isSettled = false
    void settled.then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    await settled
  })
})
