import { hourMs, secondMs } from '@quittance/domain'
import { clubIn } from '../club.ts'
import { done, present } from '../outcomes.ts'
import type { StoreFront } from '../store-front.ts'
import { subscribersOf } from '../subscribers.ts'
import { units } from '../wallets.ts'
import { eventsOf, ofStreams, type Scenarios } from './scenario.ts'

let subscribers = 0
/** Someone who owes a shop 10 USDC for a day that has come. */
const renewal = async (shop: StoreFront) => {
  subscribers += 1
  const people = await subscribersOf(shop, subscribers)
  const wallet = await shop.wallets.wallet(100 + subscribers)
  const id = await people.subscribe(wallet)
  const dueAt = shop.network.now() + 24 * hourMs
  await shop.step()
  return {
    people,
    id,
    wallet,
    fallDue: () => shop.network.wait(Math.max(secondMs, dueAt - shop.network.now())),
    /** Whether something has happened to the subscription. */
    has: async (type: string) => (await eventsOf(shop, `subscription-${id}`)).includes(type),
  }
}

/** A charge that cannot be paid has failed after so many ledgers. */
const untilFailed = 6

/** Loops over charges, and over who owes them. */
export const ofSubscriptions = {
  subscriptions: {
    streams: /^subscription-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { fallDue, has } = await renewal(shop)
      return async () => {
        fallDue()
        return () => has('ChargeConfirmed')
      }
    },
  },
  price_changes: {
    streams: /^(subscription|price_change)-/,
    failures: ofStreams,
    prepare: async (shop) => {
      subscribers += 1
      const reading = clubIn(shop)
      const product = await reading.club()
      const checkout = await reading.join(product, `reader${subscribers}@isolation.example`)
      await reading.enrol(checkout, await shop.wallets.wallet(100 + subscribers))
      const id = present((await reading.checkout(checkout)).subscription_id)
      return async () => {
        await reading.reprice(product, '10.5')
        return async () => (await eventsOf(shop, `subscription-${id}`)).includes('PriceChangeAnnounced')
      }
    },
  },
  attach: {
    streams: /^intent-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { people, id, fallDue, has } = await renewal(shop)
      return async () => {
        fallDue()
        await people.start(id)
        return () => has('ChargeConfirmed')
      }
    },
  },
  payers: {
    streams: /^subscription-/,
    failures: ofStreams,
    prepare: async (shop) => {
      const { network, other } = shop
      const { people, wallet, fallDue, has } = await renewal(shop)
      const asset = network.usdc.assetId
      const view = present(await done(network.gateway.accountView(wallet.account, [asset])))
      wallet.pay({ to: other.account, asset, parts: [present(view.trustlines[0]).spendable], memo: null })
      fallDue()
      for (let ledgers = 0; ledgers < untilFailed; ledgers++) await people.pass()
      if (!(await has('ChargeFailed'))) throw new Error('the charge has not failed')
      return async () => {
        other.pay({ to: wallet.account, asset, parts: [units(100)], memo: null })
        return () => has('ChargeConfirmed')
      }
    },
  },
  give_up: {
    streams: /^intent-/,
    failures: ofStreams,
    waitMs: 25 * hourMs,
    prepare: async (shop) => {
      const { people, id, fallDue } = await renewal(shop)
      return async () => {
        fallDue()
        const paymentId = await people.start(id)
        const intent = present((await (await shop.platform.shown()).intents.withKey(paymentId))[0])
        return async () => (await eventsOf(shop, `intent-${intent.id}`)).includes('IntentGivenUp')
      }
    },
  },
} as const satisfies Scenarios
