import { hourMs, secondMs } from '@quittance/domain'
import { createBilling } from '../billing.ts'
import type { FailureTag } from '../setbacks/failures.ts'
import type { Loop } from '../setbacks/loop.ts'
import type { SetbackNews } from '../setbacks/setbacks.ts'
import { exceptionsIn } from '../testing/exceptions.ts'
import { inTrouble, type MerchantTrouble } from '../testing/merchant-trouble.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn, wantedRefund } from '../testing/refunds.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from './worker.ts'

/** What a loop has to do for a shop: whether it is done by now. */
type Work = () => Promise<boolean>

/** Leaves a loop something to do for a shop, without a step of a worker. */
type Start = () => Promise<Work>

/** `streams` are those whose trouble only this loop meets; `prepare` may take steps. */
type Scenario = {
  readonly streams: RegExp
  readonly failures: ReadonlyArray<FailureTag>
  readonly prepare: (shop: StoreFront) => Promise<Start>
}

const ofStreams = [
  'ForeignStream',
  'TooManyConflicts',
  'ClaimLost',
  'StoreUnavailable',
  'OutcomeUnknown',
  'Defect',
] as const
const all: ReadonlyArray<FailureTag> = [
  ...ofStreams,
  'RateUnavailable',
  'AmountTooLarge',
  'LedgerUnreachable',
  'MerchantNotReady',
  'NetworkNotConfigured',
]

const scenarios: Partial<Record<Loop, Scenario>> = {
  ledger: {
    streams: /^(merchant|checkout|payment)-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { id } = await shop.sell()
      return async () => {
        const { account: to, network } = shop
        shop.payer.pay({ to, asset: network.usdc.assetId, parts: [units(10)], memo: id })
        return async () => (await shop.checkout(id)).status === 'completed'
      }
    },
  },
  awaiting_rate: {
    streams: /^checkout-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { id } = await shop.sell(shop.network.eurc.assetId)
      shop.network.wait(hourMs / 2)
      shop.network.rates.isOut = true
      await shop.pay(id, [units(30)], { asset: shop.network.eurc.assetId })
      shop.network.rates.isOut = false
      return async () => async () => (await shop.checkout(id)).status !== 'open'
    },
  },
  deadlines: {
    streams: /^checkout-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { id } = await shop.sell()
      return async () => {
        const left = Date.parse((await shop.checkout(id)).expires_at) - shop.network.now()
        if (left > 0) shop.network.wait(left + secondMs)
        return async () => (await shop.checkout(id)).status === 'expired'
      }
    },
  },
  reports: {
    streams: /^refund-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const refunds = refundsIn(shop)
      const payment = await refunds.paid()
      return async () => {
        await done(refunds.request(payment))
        return async () => (await eventsOf(shop, `payment-${payment.id}`)).includes('PaymentRefunded')
      }
    },
  },
  dispatch: {
    streams: /^stellartx-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const refunds = refundsIn(shop)
      const payment = await refunds.paid()
      return async () => {
        await done(refunds.request(payment))
        return async () => (await eventsOf(shop, `payment-${payment.id}`)).includes('PaymentRefunded')
      }
    },
  },
  refunds: {
    streams: /^(merchant|intent)-/,
    failures: all,
    prepare: async (shop) => {
      const refunds = refundsIn(shop)
      const payment = await refunds.paid()
      const isHeldUp = {
        merchantId: shop.merchantId,
        streams: /^intent-/,
        failure: 'StoreUnavailable',
        isOn: true,
      } as const
      const { refunds: held } = createBilling(inTrouble(shop.services, { ...isHeldUp }))
      return async () => {
        await refused(held.request(refunds.now(), wantedRefund(payment)))
        return async () => (await eventsOf(shop, `payment-${payment.id}`)).includes('PaymentRefunded')
      }
    },
  },
  exceptions: {
    streams: /^(merchant|intent)-/,
    failures: all,
    prepare: async (shop) => async () => {
      const exceptions = exceptionsIn(shop)
      const hash = shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(3)], memo: null })
      return async () => {
        const found = (await exceptions.all()).find((each) => each.transaction_hash === hash)
        return found?.return_status === 'succeeded'
      }
    },
  },
}

const eventsOf = async ({ platform }: StoreFront, stream: string) =>
  (await done(platform.log.readStream(stream))).events.map(({ type }) => type)

const patience = 12

describe.each(Object.entries(scenarios))('the trouble of one merchant in the loop of %s', (loop, scenario) => {
  let [one, other]: ReadonlyArray<StoreFront> = []
  let pace = 0
  const shops = () => [present(one), present(other)] as const
  /** Ledgers until the work is done; null where it is not within a dozen. */
  const ledgersUntil = async (work: Work, step: () => Promise<void>): Promise<number | null> => {
    for (let ledgers = 0; ledgers < patience; ledgers++) {
      await step()
      if (await work()) return ledgers
      present(one).network.wait(secondMs)
    }
    return null
  }
  beforeAll(async () => {
    one = await openStoreFront()
    other = await openNextDoor(one)
    const [start, others] = [await scenario.prepare(one), await scenario.prepare(other)]
    await start()
    pace = present(await ledgersUntil(await others(), one.step))
  })
  afterAll(() => one?.close())

  it.each(scenario.failures)('is its own, by %s, and is over with its cause', async (failure) => {
    const [troubled, served] = shops()
    const { merchantId, services, network } = troubled
    const trouble: MerchantTrouble = { merchantId, streams: scenario.streams, failure, isOn: false }
    const news: Array<SetbackNews> = []
    const worker = present(
      createWorker(
        inTrouble(services, trouble),
        'testnet',
        () => undefined,
        undefined,
        undefined,
        undefined,
        (each) => news.push(each),
      ),
    )
    const told = () => news.filter((each) => each.loop === loop).map((each) => [each._tag, each.merchantId])
    const step = () => done(worker.step)
    const starts = [await scenario.prepare(troubled), await scenario.prepare(served)] as const
    const [work, others] = [await starts[0](), await starts[1]()]
    trouble.isOn = true
    expect(await ledgersUntil(others, step)).toBe(pace)
    for (let ledgers = 0; ledgers < patience && told().length === 0; ledgers++) {
      network.wait(10 * secondMs)
      await step()
    }
    expect(await work()).toBe(false)
    expect(told()).toEqual([['MerchantSetBack', merchantId]])
    trouble.isOn = false
    network.wait(60 * secondMs)
    expect(await ledgersUntil(work, step)).not.toBeNull()
    expect(told()).toEqual([
      ['MerchantSetBack', merchantId],
      ['MerchantSetBackOver', merchantId],
    ])
  })
})
