import { minuteMs, positiveCount } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createBilling } from '../../face/billing.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done, refused } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { backfillCredits } from './backfill.ts'

describe('credits of a metered product', () => {
  let front: StoreFront
  let shop: ReturnType<typeof meteredShop>
  beforeAll(async () => {
    front = await openStoreFront()
    shop = meteredShop(front)
  })
  afterAll(() => front.close())

  const balance = (customerId: string, productId: string) =>
    done(front.billing.credits.retrieve(front.scope, { customerId, productId }))
  const consuming = (customerId: string, productId: string, wanted: number, context = now()) =>
    front.billing.credits.consume(
      context,
      { customerId, productId },
      { units: positiveCount(wanted), metadata: { call: 7 } },
    )
  const now = () => command(front.platform, front.merchantId)
  const bought = async (changed?: { credits?: number; perCredit?: number }) => {
    const [customerId, productId] = [await shop.customer(), await shop.product(changed)]
    return { customerId, productId, paymentId: await shop.buy(customerId, productId) }
  }
  const transactions = async (customerId: string, productId: string, page = {}) =>
    done(front.billing.credits.transactions({ ...front.scope, limit: 100, ...page }, { customerId, productId }))
  const full = {
    object: 'credit_balance',
    granted: 100,
    consumed: 0,
    expired: 0,
    balance: 100,
    unit: 'call',
    units_remainder: 0,
  }

  it('customers have no credits before a purchase', async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product()]
    expect(await balance(customerId, productId)).toEqual({ ...full, granted: 0, balance: 0 })
    expect(await refused(consuming(customerId, productId, 1))).toEqual({
      _tag: 'InsufficientCredits',
      wanted: 1n,
      left: 0n,
    })
  })

  it('each confirmed purchase grants credits', async () => {
    const { customerId, productId } = await bought()
    expect(await balance(customerId, productId)).toEqual(full)
    await shop.buy(customerId, productId)
    expect(await balance(customerId, productId)).toEqual({ ...full, granted: 200, balance: 200 })
  })

  it.each([
    [1, { consumed: 1, balance: 99, units_remainder: 9 }],
    [9, { consumed: 1, balance: 99, units_remainder: 1 }],
    [10, { consumed: 1, balance: 99, units_remainder: 0 }],
    [11, { consumed: 2, balance: 98, units_remainder: 9 }],
    [999, { consumed: 100, balance: 0, units_remainder: 1 }],
    [1000, { consumed: 100, balance: 0, units_remainder: 0 }],
  ])('credits are counted in units: %d units consumed at 10 a credit', async (wanted, left) => {
    const { customerId, productId } = await bought()
    const after = await done(consuming(customerId, productId, wanted))
    expect(after).toEqual({ ...full, ...left })
    expect(await balance(customerId, productId)).toEqual(after)
  })

  it('credits are never consumed below zero', async () => {
    const { customerId, productId } = await bought()
    await done(consuming(customerId, productId, 999))
    expect(await refused(consuming(customerId, productId, 2))).toEqual({
      _tag: 'InsufficientCredits',
      wanted: 2n,
      left: 1n,
    })
    expect(await balance(customerId, productId)).toMatchObject({ consumed: 100, units_remainder: 1 })
  })

  it('credits stay exact when a payment grants more units than a number holds', async () => {
    const [credits, perCredit] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    const { customerId, productId } = await bought({ credits, perCredit })
    const after = await done(consuming(customerId, productId, Number.MAX_SAFE_INTEGER))
    const left = { consumed: 2, balance: credits - 2, units_remainder: perCredit - 1 }
    expect(after).toEqual({ ...full, granted: credits, ...left })
  })

  it('a repeated request consumes credits once, whatever happens in between', async () => {
    const { customerId, productId } = await bought()
    const context = now()
    const first = await done(consuming(customerId, productId, 15, context))
    await done(consuming(customerId, productId, 15))
    expect(await done(consuming(customerId, productId, 15, context))).toEqual(first)
    expect(await balance(customerId, productId)).toMatchObject({ consumed: 3, balance: 97, units_remainder: 0 })
  })

  it('credits are listed entry by entry, newest first', async () => {
    const { customerId, productId, paymentId } = await bought()
    front.network.wait(1000)
    await done(consuming(customerId, productId, 15))
    const { resources, hasMore } = await transactions(customerId, productId)
    expect(resources).toMatchObject([
      { object: 'credit_transaction', type: 'consumed', units: 15, payment_id: null, metadata: { call: 7 } },
      { object: 'credit_transaction', type: 'granted', units: 1000, payment_id: paymentId, metadata: {} },
    ])
    expect(hasMore).toBe(false)
    const [newest, oldest] = resources
    expect(await transactions(customerId, productId, { limit: 1 })).toEqual({ resources: [newest], hasMore: true })
    expect(await transactions(customerId, productId, { startingAfter: newest?.id })).toEqual({
      resources: [oldest],
      hasMore: false,
    })
    const account = { customerId, productId }
    const one = await done(front.billing.credits.transaction(front.scope, account, newest?.id ?? ''))
    expect(one).toEqual(newest)
    const other = { customerId: await shop.customer(), productId }
    expect(await refused(front.billing.credits.transaction(front.scope, other, newest?.id ?? ''))).toEqual({
      _tag: 'CreditTransactionNotFound',
    })
  })

  it('credits belong to one customer and one product', async () => {
    const { customerId, productId } = await bought()
    const other = await bought()
    expect(await balance(customerId, other.productId)).toMatchObject({ granted: 0 })
    expect(await balance(other.customerId, productId)).toMatchObject({ granted: 0 })
  })

  it('rejects requests for credits of a missing or deleted customer, or of a missing product', async () => {
    const { customerId, productId } = await bought()
    const account = { customerId, productId }
    const { credits } = front.billing
    expect(await refused(credits.retrieve({ ...front.scope, merchantId: 'mer_other' }, account))).toEqual({
      _tag: 'CustomerNotFound',
    })
    expect(await refused(credits.retrieve(front.scope, { ...account, productId: 'prod_none' }))).toEqual({
      _tag: 'ProductNotFound',
    })
    await done(front.billing.customers.remove(now(), customerId))
    expect(await refused(credits.retrieve(front.scope, account))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(consuming(customerId, productId, 1))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('guests receive no credits', async () => {
    const productId = await shop.product()
    const guest = await done(
      front.billing.checkouts.createForProduct(now(), productId, {
        customer: { id: null, email: null, phone: null },
        redirectUrl: null,
        description: null,
        metadata: {},
      }),
    )
    const books = async () => (await front.platform.shown()).creditBooks.all()
    const before = await books()
    await front.pay(guest.id, [units(10)])
    expect(await front.checkout(guest.id)).toMatchObject({ status: 'completed' })
    expect(await books()).toEqual(before)
  })

  it.each([
    ['one process', 1],
    ['two processes', 2],
  ])('all of 60 concurrent requests of %s consume while credits are left, and no more', async (_, processes) => {
    const { customerId, productId } = await bought({ credits: 80, perCredit: 1 })
    const others = processes === 1 ? [] : [await openPlatform(front.network, front.folder.path)]
    const billings = [front.billing, ...others.map(({ billing }) => billing)]
    const consumeAtOnce = async (): Promise<Readonly<Record<string, number>>> => {
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          (billings[n % billings.length] ?? front.billing).credits.consume(
            now(),
            { customerId, productId },
            { units: positiveCount(1), metadata: null },
          )(),
        ),
      )
      const tags = outcomes.map((outcome) => (E.isRight(outcome) ? 'consumed' : outcome.left._tag))
      return Object.fromEntries(
        Map.groupBy(tags, (tag) => tag)
          .entries()
          .map(([tag, { length }]) => [tag, length]),
      )
    }
    expect(await consumeAtOnce()).toEqual({ consumed: 60 })
    expect(await consumeAtOnce()).toEqual({ consumed: 20, InsufficientCredits: 40 })
    expect(await balance(customerId, productId)).toMatchObject({ consumed: 80, balance: 0 })
    for (const other of others) await other.close()
  })

  it('concurrent requests over two connections never overdraw credits', async () => {
    const { customerId, productId } = await bought({ credits: 12, perCredit: 1 })
    const second = await openPlatform(front.network, front.folder.path)
    const consumers = [front.billing, second.billing, front.billing, second.billing]
    const consumeAll = async (billing: StoreFront['billing']): Promise<number> => {
      let consumed = 0
      for (let tries = 0; tries < 100; tries++) {
        const account = { customerId, productId }
        const outcome = await billing.credits.consume(now(), account, { units: positiveCount(1), metadata: null })()
        if (E.isRight(outcome)) consumed += 1
        else {
          expect(outcome.left._tag).toBe('InsufficientCredits')
          return consumed
        }
      }
      throw new Error('the credits never ended')
    }
    const consumed = await Promise.all(consumers.map(consumeAll))
    expect(consumed.reduce((sum, each) => sum + each, 0)).toBe(12)
    expect(await balance(customerId, productId)).toMatchObject({ consumed: 12, balance: 0 })
    await second.close()
  })

  it('credits are granted once after a crash at any append of the sale', async () => {
    const productId = await shop.product()
    const survived = async (work: Promise<unknown>): Promise<boolean> => {
      try {
        await work
        return true
      } catch (defect) {
        if (defect instanceof ProcessDied) return false
        throw defect
      }
    }
    let deaths = 0
    for (let lived = false; !lived; deaths++) {
      expect(deaths).toBeLessThan(20)
      const customerId = await shop.customer()
      const checkoutId = await shop.open(customerId, productId)
      front.payer.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(10)], memo: checkoutId })
      const dying: TestPlatform = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      lived = await survived(done(dying.worker.step))
      await dying.close()
      await front.step()
      expect(await balance(customerId, productId)).toEqual(full)
      const { resources } = await transactions(customerId, productId)
      expect(resources.map(({ type }) => type)).toEqual(['granted'])
    }
    expect(deaths).toBeGreaterThan(3)
  })

  it('payments in a log older than credits grant credits', async () => {
    const { services } = front.platform
    // As an earlier release did: everything but the credits.
    const earlier = await openPlatform(front.network, front.folder.path, (store) => ({
      ...store,
      append: (stream, ...rest) =>
        stream.startsWith('credits-')
          ? async () => E.right({ head: rest[0], position: 0n, events: [] })
          : store.append(stream, ...rest),
    }))
    const [customerId, productId] = [await shop.customer(), await shop.product()]
    const checkoutId = await shop.open(customerId, productId)
    front.payer.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(10)], memo: checkoutId })
    await done(earlier.worker.step)
    await earlier.close()
    expect(await front.checkout(checkoutId)).toMatchObject({ status: 'completed' })
    expect(await balance(customerId, productId)).toMatchObject({ granted: 0 })

    const finished: Array<string> = []
    const backfills = {
      isDone: async (name: string) => finished.includes(name),
      finish: async (name: string) => void finished.push(name),
    }
    const before = await front.platform.logEnd()
    await done(() => backfillCredits({ ...services, backfills }, 'testnet'))
    expect(await balance(customerId, productId)).toEqual(full)
    expect(finished).toEqual(['credits testnet'])
    const after = await front.platform.logEnd()
    expect(after.events).toBe(before.events + 1)
    finished.length = 0
    await done(() => backfillCredits({ ...services, backfills }, 'testnet'))
    expect(await front.platform.logEnd()).toEqual(after)
    front.network.wait(minuteMs)
    const billing = createBilling(services)
    expect(await done(billing.access(front.scope, customerId, productId))).toMatchObject({ has_access: true })
  })
})
