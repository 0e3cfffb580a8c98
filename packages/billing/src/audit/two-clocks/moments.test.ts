import { asText, dayMs, hourMs, type RecordedEvent, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { meteredShop } from '../../testing/metered.ts'
import { done, refused, right } from '../../testing/outcomes.ts'
import { paidLate } from '../../testing/paid-late.ts'
import { book, command, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { eventsAt } from './moment.ts'

describe('an answer for another moment', () => {
  let front: StoreFront
  let shop: ReturnType<typeof meteredShop>
  beforeAll(async () => {
    front = await openStoreFront()
    shop = meteredShop(front)
  })
  afterAll(() => front.close())

  const now = () => command(front.platform, front.merchantId)
  const asOf = (at: number | null, knownAt: number | null) =>
    right(
      front.billing.asOf({
        at: at === null ? null : unixMs(at),
        knownAt: knownAt === null ? null : unixMs(knownAt),
      }),
    )

  it('tells what had happened from what was known of it, where a ledger is read late', async () => {
    const { network, billing, scope } = front
    const { id, unknown } = await paidLate(front, hourMs)
    const paid = await done(billing.checkouts.retrieve(scope, id))
    const closed = Date.parse(paid.completed_at ?? '')
    const status = async (at: number | null, knownAt: number | null) =>
      (await done(asOf(at, knownAt).checkouts.retrieve(scope, id))).status
    expect(closed).toBeLessThan(unknown)
    expect(await status(closed, null)).toBe('completed')
    expect(await status(closed - 1, null)).toBe('open')
    expect(await status(null, unknown)).toBe('open')
    expect(await status(closed, unknown)).toBe('open')
    expect(await status(closed, network.now())).toBe('completed')
    expect(await refused(asOf(closed, null).payments.retrieve(scope, 'pay_none'))).toEqual({ _tag: 'PaymentNotFound' })
  })

  it('shows the amount that an open session asked for as long as its quote counted', async () => {
    const { billing, scope, network } = front
    const { id } = await front.sell()
    await done(billing.payer.quote(id))
    const quoted = network.now()
    network.wait(dayMs)
    await front.step()
    const { amount_due, status } = await done(asOf(quoted, null).checkouts.retrieve(scope, id))
    expect([amount_due, status]).toEqual(['10', 'open'])
    const later = await done(asOf(quoted + hourMs, null).checkouts.retrieve(scope, id))
    expect([later.amount_due, later.status]).toEqual([null, 'open'])
  })

  it('grants an erased customer the access that the customer had, and shows nobody', async () => {
    const { billing, scope, network } = front
    const customerId = await shop.customer()
    const product = await done(billing.products.create(now(), book(network.usdc.assetId)))
    const customer = { id: customerId, email: null, phone: null }
    const before = network.now()
    const { id } = await done(billing.checkouts.createForProduct(now(), product.id, options(customer)))
    network.wait(5_000)
    await front.pay(id, [units(10)])
    const bought = network.now()
    network.wait(5_000)
    await done(billing.customers.remove(now(), customerId))
    const deleted = network.now()
    const access = (at: number) => asOf(at, null).access(scope, customerId, product.id)
    expect(await done(access(before))).toEqual({ has_access: false, grant: null, expires_at: null })
    expect(await done(access(bought))).toMatchObject({ has_access: true, grant: { type: 'one_time' } })
    expect(await refused(access(deleted))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await done(billing.access(scope, customerId, product.id, unixMs(bought)))).toMatchObject({
      has_access: true,
    })
    const shown = await done(asOf(bought, null).customers.retrieve(scope, customerId))
    expect([shown.email, shown.name, shown.phone]).toEqual([null, null, null])
  })

  it('is not found in another environment, nor for another merchant', async () => {
    const { billing, scope, network } = front
    const product = await done(billing.products.create(now(), book(network.usdc.assetId)))
    const then = asOf(network.now(), network.now())
    const elsewhere = { ...scope, environment: 'mainnet' as const }
    const stranger = { ...scope, merchantId: front.merchantId.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) }
    for (const other of [elsewhere, stranger]) {
      expect(await refused(then.products.retrieve(other, product.id))).toEqual({ _tag: 'ProductNotFound' })
      expect((await then.products.list({ ...other, limit: 10 })()).resources).toEqual([])
    }
  })

  it('is refused for what will have been recorded, and given for what will be true', async () => {
    const { billing, scope, network } = front
    const ahead = unixMs(network.now() + dayMs)
    expect(billing.asOf({ at: null, knownAt: ahead })).toEqual(
      E.left({ _tag: 'KnownAhead', knownAt: ahead, now: network.now() }),
    )
    const product = await done(billing.products.create(now(), { ...book(), name: asText('Ahead') }))
    expect(await done(asOf(ahead, network.now()).products.retrieve(scope, product.id))).toEqual(product)
  })
})

describe('the events of a stream at a moment', () => {
  it('can be folded, though what they followed had not happened yet', async () => {
    const front = await openStoreFront()
    const { id } = await front.sell()
    await front.pay(id, [units(10)])
    const { payment_id } = await front.checkout(id)
    const stream = `payment-${payment_id}`
    const { events } = await done(front.platform.log.readStream(stream))
    const [opened, ...others] = events
    const end = unixMs(front.network.now())
    const begun = opened === undefined ? [] : [{ ...opened, metadata: { ...opened.metadata, occurredAt: end + 1 } }]
    expect(others.length).toBeGreaterThan(0)
    expect(eventsAt(stream, { at: end, knownAt: null }, events)).toEqual(events)
    expect(eventsAt(stream, { at: end, knownAt: null }, [...begun, ...others])).toEqual([])
    await front.close()
  })

  const event = (revision: number, occurredAt: number, recordedAt: number): RecordedEvent => ({
    id: `event ${revision}`,
    stream: 'sample-1',
    revision: BigInt(revision),
    position: BigInt(revision + 1),
    type: 'SampleHappened',
    schemaVersion: 1,
    data: {},
    metadata: {
      merchantId: 'mer_1',
      environment: 'testnet',
      commandId: 'command',
      correlationId: 'command',
      causationId: null,
      actor: 'test',
      occurredAt,
      previousHash: '0'.repeat(64),
      hash: '0'.repeat(64),
    },
    recordedAt,
  })
  const idsAt = (at: number | null, knownAt: number | null, events: ReadonlyArray<RecordedEvent>) =>
    eventsAt(
      'sample-1',
      { at: at === null ? null : unixMs(at), knownAt: knownAt === null ? null : unixMs(knownAt) },
      events,
    ).map(({ revision }) => Number(revision))

  it('ends before the first one that was recorded later, even if the clock went back then', () => {
    const events = [event(0, 1, 10), event(1, 2, 30), event(2, 3, 20), event(3, 4, 40)]
    expect(idsAt(null, 9, events)).toEqual([])
    expect(idsAt(null, 10, events)).toEqual([0])
    expect(idsAt(null, 20, events)).toEqual([0])
    expect(idsAt(null, 30, events)).toEqual([0, 1, 2])
    expect(idsAt(null, 40, events)).toEqual([0, 1, 2, 3])
  })

  it('holds what had happened, whenever it was recorded', () => {
    const events = [event(0, 10, 10), event(1, 30, 30), event(2, 20, 31)]
    expect(idsAt(9, null, events)).toEqual([])
    expect(idsAt(20, null, events)).toEqual([0, 2])
    expect(idsAt(20, 30, events)).toEqual([0])
    expect(idsAt(30, null, events)).toEqual([0, 1, 2])
  })
})
