import { readFile } from 'node:fs/promises'
import { hourMs, secondMs } from '@quittance/domain'
import { createBilling } from '../billing.ts'
import type { FailureTag } from '../setbacks/failures.ts'
import type { Loop } from '../setbacks/loop.ts'
import type { SetbackNews } from '../setbacks/setbacks.ts'
import { exceptionsIn } from '../testing/exceptions.ts'
import { inTrouble, type MerchantTrouble } from '../testing/merchant-trouble.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn, wantedRefund } from '../testing/refunds.ts'
import { book, command } from '../testing/shop.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { subscribersOf } from '../testing/subscribers.ts'
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

const byEachApart = 'each item by `eachApart`, which `each-apart.test.ts` fails by every class'
const elsewhere = {
  pass: 'the parts of a step themselves, as items of the platform; `each-apart.test.ts`',
  backfill: `once in a service's life; ${byEachApart}`,
  payouts: byEachApart,
  payout_funds: byEachApart,
  payout_schedules: byEachApart,
  payers: byEachApart,
  follow_up: 'as `subscriptions`, once more in a step',
  alarms: byEachApart,
  service_accounts: "no merchant's",
  set_up: `\`carry-set-ups.test.ts\`; ${byEachApart}`,
  advance: `the end of a transaction comes by \`ledger\`, its intents' by \`close_out\`; ${byEachApart}`,
  give_up: byEachApart,
  sweep: byEachApart,
  webhooks: '`delivery/endpoints-apart.test.ts`',
} as const

let subscribers = 0
/** Someone who owes a shop 10 USDC for a day that has come. */
const renewal = async (shop: StoreFront) => {
  subscribers += 1
  const people = await subscribersOf(shop, subscribers)
  const id = await people.subscribe(await shop.wallets.wallet(100 + subscribers))
  const dueAt = shop.network.now() + 24 * hourMs
  await shop.step()
  return {
    people,
    id,
    fallDue: () => shop.network.wait(Math.max(secondMs, dueAt - shop.network.now())),
    isConfirmed: async () => (await eventsOf(shop, `subscription-${id}`)).includes('ChargeConfirmed'),
  }
}

/** Of every loop its scenario, or in words where else it is shown: a loop that is added has to be one or the other. */
const loops: Readonly<Record<Loop, Scenario | string>> = {
  ...elsewhere,
  pending_payments: {
    streams: /^checkout-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { id } = await shop.sell()
      const { transaction_xdr } = await done(shop.billing.payer.transaction(id, shop.payer.account))
      shop.network.faults.losesSubmissions = true
      await shop.billing.payer.submit(id, shop.payer.sign(transaction_xdr))()
      shop.network.faults.losesSubmissions = false
      return async () => {
        shop.network.wait(hourMs / 4)
        return async () => (await shop.payments(id)).every(({ status }) => status === 'failed')
      }
    },
  },
  subscriptions: {
    streams: /^subscription-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { fallDue, isConfirmed } = await renewal(shop)
      return async () => {
        fallDue()
        return isConfirmed
      }
    },
  },
  attach: {
    streams: /^intent-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { people, id, fallDue, isConfirmed } = await renewal(shop)
      return async () => {
        fallDue()
        await people.start(id)
        return isConfirmed
      }
    },
  },
  close_out: {
    streams: /^intent-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const refunds = refundsIn(shop)
      const payment = await refunds.paid()
      return async () => {
        await done(refunds.request(payment))
        await shop.step()
        return async () => (await eventsOf(shop, `payment-${payment.id}`)).includes('PaymentRefunded')
      }
    },
  },
  invariants: {
    streams: /^product-/,
    failures: ofStreams,
    prepare: async (shop) => async () => {
      const { billing, platform, merchantId, services } = shop
      await done(billing.products.create(command(platform, merchantId), book()))
      const end = BigInt((await platform.logEnd()).events)
      return async () => {
        const isLookedAt = services.violations.checkedTo('testnet') >= end
        return (
          isLookedAt && services.setbacks.of('testnet', 'invariants').every((each) => each.merchantId !== merchantId)
        )
      }
    },
  },
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

const scenarios = Object.entries(loops).flatMap(([loop, scenario]) =>
  typeof scenario === 'string' ? [] : [[loop, scenario] as const],
)

describe.each(scenarios)('the trouble of one merchant in the loop of %s', (loop, scenario) => {
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

it('stands in the documents as it is shown here', async () => {
  const rows = Object.entries(loops)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([loop, shown]) => {
      if (typeof shown === 'string') return `| \`${loop}\` | | ${shown} |`
      const categories = shown.streams.source.replaceAll(/[\^()-]/g, '').split('|')
      const failures = shown.failures.length === all.length ? 'every class' : 'every class of a store, and a defect'
      return `| \`${loop}\` | ${categories.map((each) => `\`${each}\``).join(', ')} | ${failures} |`
    })
  const text = await readFile(new URL('../../../../docs/isolation.md', import.meta.url), 'utf8')
  expect(text).toContain(`| Loop | Streams in trouble | Fails by |\n| --- | --- | --- |\n${rows.join('\n')}\n`)
})
