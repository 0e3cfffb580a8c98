import { asText, dayMs, HttpUrl, hourMs, positiveCount, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { clubIn } from '../../../testing/club.ts'
import { meteredShop } from '../../../testing/metered.ts'
import { done } from '../../../testing/outcomes.ts'
import { payoutsIn } from '../../../testing/payouts.ts'
import { wantedRefund } from '../../../testing/refunds.ts'
import { book, command, options, someone } from '../../../testing/shop.ts'
import type { StoreFront } from '../../../testing/store-front.ts'
import { units } from '../../../testing/wallets.ts'

/** What a merchant, its customers and time can do. */
export const actNames = [
  'new customer',
  'change customer',
  'merge customers',
  'delete customer',
  'new product',
  'change product',
  'archive product',
  'open checkout',
  'buy a book',
  'pay a part',
  'pay all',
  'pay too much',
  'expire checkout',
  'subscribe',
  'pause',
  'resume',
  'cancel',
  'change subscription',
  'reprice',
  'cancel price change',
  'buy calls',
  'consume',
  'refund',
  'stray payment',
  'resolve exception',
  'pay out',
  'new webhook',
  'change webhook',
  'delete webhook',
  'change profile',
  'expect funding',
  'an hour',
  'a day',
  'a month',
  'moments',
] as const
export type ActName = (typeof actNames)[number]

type Kind =
  | 'customers'
  | 'products'
  | 'checkouts'
  | 'payments'
  | 'subscriptions'
  | 'priceChanges'
  | 'exceptions'
  | 'webhooks'

/**
 * What a merchant, its customers and time do. Each act takes two numbers that choose among what there is; one that is refused
 * changes nothing.
 */
export const actsOf = async (
  front: StoreFront,
): Promise<Readonly<Record<ActName, (first: number, second: number) => Promise<unknown>>>> => {
  const { billing, network, platform, merchantId, payer, other, step } = front
  const [club, metered, payouts] = [clubIn(front), meteredShop(front), payoutsIn(front)]
  const now = () => command(platform, merchantId)
  const destination = await payouts.destination()
  let made = 0
  const some = async (kind: Kind, number: number): Promise<string> => {
    const all = await (await platform.shown())[kind].all()
    return all[number % Math.max(1, all.length)]?.id ?? `no ${kind}`
  }
  const wallet = (number: number) => (number % 2 === 0 ? payer : other)
  const pay = async (first: number, second: number, amount: number) => {
    const id = await some('checkouts', first)
    const quoted = await billing.payer.quote(id)()
    if (E.isRight(quoted)) await front.pay(id, [units(amount)], { from: wallet(second) })
  }
  const pass = async (ms: number) => {
    network.wait(ms)
    await step()
  }
  const url = decoded(HttpUrl, 'https://shop.example/hooks')
  const patch = { cancelAtPeriodEnd: null, productId: null, metadata: undefined }
  return {
    'new customer': async () => {
      made += 1
      await done(billing.customers.createAll(now(), [someone(`${made}@life.example`, 'Ada', `+4930${made}`)]))
    },
    'change customer': async (first: number, second: number) => {
      const changed = { name: `Ada ${second}`, phone: `+4930${second}`, metadata: { since: `${second}` } }
      await billing.customers.update(now(), await some('customers', first), changed)()
    },
    'merge customers': async (first: number, second: number) => {
      const [from, into] = [await some('customers', first), await some('customers', second)]
      await billing.customers.merge(now(), { from, into, by: asText('Ada'), reason: asText('one') })()
    },
    'delete customer': async (first: number) => {
      await billing.customers.remove(now(), await some('customers', first))()
    },
    'new product': async (first: number) => {
      if (first % 3 === 0) await done(billing.products.create(now(), book(network.usdc.assetId)))
      if (first % 3 === 1) await club.club({ trialDays: null })
      if (first % 3 === 2) await metered.product({ credits: 2, perCredit: 2 })
    },
    'change product': async (first: number, second: number) => {
      const price = { amount: `${5 + (second % 10)}`, amountCents: null }
      await billing.products.update(now(), await some('products', first), { price, name: asText(`No. ${second}`) })()
    },
    'archive product': async (first: number) => {
      if (first % 4 === 0) await billing.products.archive(now(), await some('products', first))()
    },
    'open checkout': async (first: number, second: number) => {
      const customer = { id: await some('customers', first), email: null, phone: null }
      await billing.checkouts.createForProduct(now(), await some('products', second), options(customer))()
    },
    'buy a book': async (first: number, second: number) => {
      const product = await done(billing.products.create(now(), book(network.usdc.assetId)))
      const customer = { id: await some('customers', first), email: null, phone: null }
      const opened = await billing.checkouts.createForProduct(now(), product.id, options(customer))()
      if (E.isRight(opened)) await front.pay(opened.right.id, [units(10 + (second % 2))], { from: wallet(second) })
    },
    'pay a part': (first: number, second: number) => pay(first, second, 1),
    'pay all': (first: number, second: number) => pay(first, second, 10),
    'pay too much': (first: number, second: number) => pay(first, second, 13),
    'expire checkout': async (first: number) => {
      await billing.checkouts.expire(now(), await some('checkouts', first))()
    },
    subscribe: async (first: number, second: number) => {
      const product = await club.club()
      const customerId = await some('customers', first)
      const opened = await billing.checkouts.createForProduct(
        now(),
        product,
        options({ id: customerId, email: null, phone: null }),
      )()
      if (E.isRight(opened)) await club.enrol(opened.right.id, wallet(second))
    },
    pause: async (first: number) => billing.subscriptions.pause(now(), await some('subscriptions', first))(),
    resume: async (first: number) => billing.subscriptions.resume(now(), await some('subscriptions', first))(),
    cancel: async (first: number) => billing.subscriptions.cancel(now(), await some('subscriptions', first), 'now')(),
    'change subscription': async (first: number, second: number) => {
      const changed = second % 2 === 0 ? { cancelAtPeriodEnd: second % 4 === 0 } : { metadata: { number: second } }
      await billing.subscriptions.update(now(), await some('subscriptions', first), { ...patch, ...changed })()
    },
    reprice: async (first: number, second: number) => {
      const change = {
        productId: await some('products', first),
        price: { amount: `${8 + (second % 5)}`, amountCents: null },
        currency: null,
        assetId: null,
        recurringPeriod: null,
        effectiveAt: unixMs(network.now() + 31 * dayMs),
        withoutConsent: second % 2 === 0 ? ('keep' as const) : ('cancel' as const),
      }
      await billing.priceChanges.schedule(now(), change)()
    },
    'cancel price change': async (first: number) =>
      billing.priceChanges.cancel(now(), await some('priceChanges', first))(),
    'buy calls': async (first: number) => {
      const [customerId, productId] = [
        await some('customers', first),
        await metered.product({ credits: 2, perCredit: 2 }),
      ]
      const customer = { id: customerId, email: null, phone: null }
      const opened = await billing.checkouts.createForProduct(now(), productId, options(customer))()
      if (E.isRight(opened)) await front.pay(opened.right.id, [units(10)])
    },
    consume: async (first: number, second: number) => {
      const of = { customerId: await some('customers', first), productId: await some('products', second) }
      await billing.credits.consume(now(), of, { units: positiveCount(1 + (second % 3)), metadata: null })()
    },
    refund: async (first: number) => {
      await billing.refunds.request(now(), wantedRefund({ id: await some('payments', first) }))()
      await pass(5_000)
    },
    'stray payment': async (_: number, second: number) => {
      await front.pay('nobody knows', [units(3)], { from: wallet(second) })
    },
    'resolve exception': async (first: number) =>
      billing.exceptions.resolve(now(), await some('exceptions', first), { action: 'accept', note: null })(),
    'pay out': async () => {
      await payouts.request(destination, { amount: units(1) })()
      await pass(5_000)
    },
    'new webhook': async () =>
      billing.webhooks.create(now(), { name: asText('Orders'), url, events: [asText('*')], description: null })(),
    'change webhook': async (first: number, second: number) => {
      const changes = { changed: { description: asText(`No. ${second}`) }, isDisabled: second % 2 === 0 }
      await billing.webhooks.update(now(), await some('webhooks', first), changes)()
    },
    'delete webhook': async (first: number) => billing.webhooks.remove(now(), await some('webhooks', first))(),
    'change profile': async (_: number, second: number) => {
      const unchanged = { address: undefined, taxId: undefined, supportContact: undefined, terms: undefined }
      const profile = { ...unchanged, legalName: asText(`Shop ${second}`), logo: undefined }
      await billing.merchantProfiles.change(now(), profile)()
    },
    'expect funding': async () =>
      billing.fundings.announce(now(), { from: null, assetId: null, amount: units(7), hours: 1 })(),
    'an hour': () => pass(hourMs),
    'a day': () => pass(dayMs),
    'a month': async () => {
      for (let days = 0; days < 31; days += 1) await pass(dayMs)
    },
    /** Lets what has begun go on for some ledgers. */
    moments: async () => {
      for (let ledgers = 0; ledgers < 3; ledgers += 1) await pass(5_000)
    },
  }
}
