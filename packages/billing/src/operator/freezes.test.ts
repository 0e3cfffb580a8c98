import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asText, count, type FreezeScope, hourMs, LedgerTransaction } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { openClub } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { filesIn, openPlatform, type TestPlatform } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, reopened, restore } from '../testing/restored.ts'
import { book, command, options } from '../testing/shop.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const asked = (scope: FreezeScope, merchantId: string | null = null) => ({
  scope,
  merchantId,
  by: asText('Ada'),
  reason: asText('a key was stolen'),
})

/** Counts what is submitted to the network. */
const submissionsOf = () => {
  let count = 0
  return {
    count: () => count,
    seenAs: (network: Parameters<NonNullable<Parameters<typeof openStoreFront>[1]>>[0]) => ({
      ...network,
      gateway: {
        ...network.gateway,
        submit: (envelope: string) => {
          count += 1
          return network.gateway.submit(envelope)
        },
      },
    }),
  }
}

describe('freezing sales', () => {
  let front: StoreFront
  let elsewhere: TestPlatform
  beforeAll(async () => {
    front = await openStoreFront()
    elsewhere = await openPlatform(front.network, front.folder.path)
  })
  afterAll(async () => {
    await elsewhere.close()
    await front.close()
  })
  afterEach(async () => {
    for (const merchantId of [null, front.merchantId])
      await done(elsewhere.billing.freezes.unfreeze(asked('sales', merchantId)))
  })

  it.each(['one merchant', 'all merchants'])(
    'of %s stops checkouts, quotes, transactions and relays in every process at once',
    async (of) => {
      const { billing, payer, merchantId, platform } = front
      const { id } = await front.sell()
      const { transaction_xdr } = await done(billing.payer.transaction(id, payer.account))
      const merchant = of === 'one merchant' ? merchantId : null
      await done(elsewhere.billing.freezes.freeze(asked('sales', merchant)))
      const product = await done(billing.products.create(command(platform, merchantId), book()))
      const frozen = { _tag: 'SalesFrozen' }
      const create = billing.checkouts.createForProduct(command(platform, merchantId), product.id, options())
      expect(await refused(create)).toEqual(frozen)
      expect(await refused(billing.payer.quote(id))).toEqual(frozen)
      expect(await refused(billing.payer.assets(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.transaction(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.submit(id, payer.sign(transaction_xdr)))).toEqual(frozen)
      expect(await done(billing.payer.page(id))).toMatchObject({ status: 'open', quote: null, isPaused: true })
      await done(elsewhere.billing.freezes.unfreeze(asked('sales', merchant)))
      await done(billing.payer.submit(id, payer.sign(transaction_xdr)))
      expect(await done(billing.payer.page(id))).toMatchObject({ isPaused: false })
      front.network.wait(5_000)
      await front.step()
    },
  )

  it('keeps money that arrives anyway, and completes its checkout', async () => {
    const { id } = await front.sell()
    await done(front.billing.freezes.freeze(asked('sales')))
    await front.pay(id, [units(10)])
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
  })

  it('of one merchant leaves others alone', async () => {
    const other = await openNextDoor(front)
    await done(front.billing.freezes.freeze(asked('sales', front.merchantId)))
    await other.sell()
  })

  it('rejects a merchant that does not exist', async () =>
    expect(await refused(front.billing.freezes.freeze(asked('sales', 'mer_nobody')))).toEqual({
      _tag: 'MerchantNotFound',
    }))
})

describe('freezing payouts', () => {
  let front: StoreFront
  const { count: submitted, seenAs } = submissionsOf()
  beforeAll(async () => {
    front = await openStoreFront({}, seenAs)
  })
  afterAll(() => front.close())
  const ledgers = async (many: number): Promise<void> => {
    for (let n = 0; n < many; n++) {
      front.network.wait(5_000)
      await front.step()
    }
  }

  it('keeps refunds, returns and payouts from leaving, and sends them once it is over', async () => {
    const { billing, merchantId, payer } = front
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(3)
    const destination = await payouts.destination(front.other)
    expect(await done(billing.freezes.freeze(asked('payouts', merchantId)))).toEqual({ isNew: true, waiting: 0 })
    const refund = await done(refunds.request(payment))
    const payout = await done(payouts.request(destination))
    await front.pay(null, [units(7)])
    const before = submitted()
    const held = await payouts.holds(payer.account)
    await ledgers(8)
    expect([submitted(), await payouts.holds(payer.account)]).toEqual([before, held])
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending' })
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'pending' })
    expect(await done(billing.freezes.inForce)).toEqual([
      { ...asked('payouts', merchantId), at: expect.any(Number), waiting: 3 },
    ])
    await done(billing.freezes.unfreeze(asked('payouts', merchantId)))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
    await ledgers(3)
    expect((await payouts.holds(payer.account)) - held).toBe(units(17))
  })

  it('holds up nobody else', async () => {
    const other = await openNextDoor(front)
    const refunds = refundsIn(other)
    await done(front.billing.freezes.freeze(asked('payouts', front.merchantId)))
    expect(await refunds.ended(await done(refunds.request(await refunds.paid())))).toMatchObject({
      status: 'succeeded',
    })
    await done(front.billing.freezes.unfreeze(asked('payouts', front.merchantId)))
  })

  it('gives up no refund that waited long for the end of a freeze', async () => {
    const refunds = refundsIn(front)
    const refund = await done(refunds.request(await refunds.paid()))
    await done(front.billing.freezes.freeze(asked('payouts')))
    front.network.wait(40 * 24 * hourMs)
    await ledgers(3)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending' })
    await done(front.billing.freezes.unfreeze(asked('payouts')))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
  })

  it('offers bytes again only after the freeze, when a process died before it had sent them', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid()
    front.network.faults.losesSubmissions = true
    const refund = await done(refunds.request(payment))
    await front.step()
    expect(await refunds.intentsOf(refund.id)).toMatchObject([{ status: 'attached' }])
    front.network.faults.losesSubmissions = false
    await done(front.billing.freezes.freeze(asked('payouts')))
    const before = submitted()
    await ledgers(40)
    expect(submitted()).toBe(before)
    expect(await refunds.intentsOf(refund.id)).toMatchObject([{ status: 'waiting', attempts: 1 }])
    await done(front.billing.freezes.unfreeze(asked('payouts')))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a freeze between building a transaction and releasing it', () => {
  it('withdraws the transaction, which no node has seen', async () => {
    const { count: submitted, seenAs } = submissionsOf()
    let meanwhile: (() => Promise<unknown>) | null = null
    const wrapped = (store: EventStore): EventStore => ({
      ...store,
      append:
        (...request) =>
        async () => {
          const appended = await store.append(...request)()
          if (!request[2].some(({ type }) => type === 'TransactionPrepared')) return appended
          const freeze = meanwhile
          meanwhile = null
          await freeze?.()
          return appended
        },
    })
    const front = await openStoreFront({}, seenAs, wrapped)
    const refunds = refundsIn(front)
    const refund = await done(refunds.request(await refunds.paid()))
    meanwhile = () => done(front.billing.freezes.freeze(asked('payouts')))
    const before = submitted()
    await front.step()
    expect(submitted()).toBe(before)
    const withdrawn: Array<unknown> = []
    for await (const { stream, type, data } of front.platform.log.readAll(0n))
      if (stream.startsWith(LedgerTransaction.category) && type === 'TransactionWithdrawn') withdrawn.push(data)
    expect(withdrawn).toEqual([{ reason: 'frozen' }])
    expect(await refunds.intentsOf(refund.id)).toMatchObject([{ status: 'waiting', attempts: 0 }])
    await done(front.billing.freezes.unfreeze(asked('payouts')))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    await front.close()
  })
})

describe('freezing charges', () => {
  it('charges nobody and locks out nobody; the period is charged once it is over', async () => {
    const club = await openClub()
    const { billing, scope } = club
    const reader = await club.wallets.wallet(41)
    const id = await club.join(await club.club({ trialDays: count(0) }), 'r@club.example')
    await club.enrol(id, reader)
    const subscriptionId = present((await club.checkout(id)).subscription_id)
    const shown = () => done(billing.subscriptions.retrieve(scope, subscriptionId))
    const { current_period_end, customer_id, product_id } = await shown()
    await done(billing.freezes.freeze(asked('charges')))
    await club.pass(32 * 24 * hourMs)
    for (let ledgers = 0; ledgers < 3; ledgers++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'active', current_period_end, failed_payment_count: 0 })
    expect(await done(billing.access(scope, customer_id, product_id))).toMatchObject({ has_access: true })
    await done(billing.freezes.unfreeze(asked('charges')))
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'active', current_period_start: current_period_end })
    await club.close()
  })
})

describe('a freeze that an older log has forgotten', () => {
  it('is frozen again at the next start, and not after it was ended', async () => {
    const front = await openStoreFront()
    const backup = backUp(front)
    const inForce = async ({ billing }: StoreFront) =>
      (await done(billing.freezes.inForce)).map(({ scope, by, reason }) => [scope, by, reason])
    await done(front.billing.freezes.freeze(asked('payouts')))
    const restored = await restore(front, backup, 'kept')
    expect(await inForce(restored)).toEqual([['payouts', 'Ada', 'a key was stolen']])
    await done(restored.billing.freezes.unfreeze(asked('payouts')))
    await restored.platform.close()
    const again = await reopened(restored, backup)
    expect(await inForce(again)).toEqual([])
    await again.close()
  })

  it('survives a start in which the file beside the log was lost', async () => {
    const front = await openStoreFront()
    const file = join(dirname(filesIn(front.folder.path).logMark), 'freezes.json')
    expect(existsSync(file)).toBe(false)
    await done(front.billing.freezes.freeze(asked('sales')))
    const written = readFileSync(file, 'utf8')
    rmSync(file)
    const elsewhere = await openPlatform(front.network, front.folder.path)
    expect(await done(elsewhere.billing.freezes.inForce)).toMatchObject([{ scope: 'sales' }])
    expect(readFileSync(file, 'utf8')).toBe(written)
    await elsewhere.close()
    await front.close()
  })
})
