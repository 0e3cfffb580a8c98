import { secondMs } from '@quittance/domain'
import { createBilling } from '../../face/billing.ts'
import { inTrouble } from '../merchant-trouble.ts'
import { done, present, refused } from '../outcomes.ts'
import { payoutsIn } from '../payouts.ts'
import { units } from '../wallets.ts'
import { everyClass, type Scenarios } from './scenario.ts'

/** Loops over payouts, whose destination is proven and whose money is there. */
export const ofPayouts = {
  payout_schedules: {
    streams: /^(merchant|payout_book)-/,
    failures: everyClass,
    prepare: async (shop) => {
      const { billing, network } = shop
      const payouts = payoutsIn(shop)
      await payouts.earn()
      const { next_payout_at } = await done(
        billing.payouts.schedules.set(payouts.now(), {
          assetId: network.usdc.assetId,
          interval: { type: 'daily' },
          reserve: units(0),
          destination: await payouts.destination(),
        }),
      )
      const before = (await payouts.list()).length
      return async () => {
        network.wait(Math.max(secondMs, Date.parse(present(next_payout_at)) - network.now()))
        return async () => {
          const made = await payouts.list()
          return made.length > before && made.every(({ status }) => status === 'succeeded')
        }
      }
    },
  },
  payouts: {
    streams: /^(merchant|intent)-/,
    failures: everyClass,
    prepare: async (shop) => {
      const payouts = payoutsIn(shop)
      await payouts.earn()
      const destination = await payouts.destination()
      const before = (await payouts.list()).length
      const { merchantId, services } = shop
      const trouble = { merchantId, streams: /^intent-/, failure: 'StoreUnavailable', isOn: true } as const
      const { payouts: held } = createBilling(inTrouble(services, { ...trouble }))
      return async () => {
        await refused(held.request(payouts.now(), payouts.wanted(destination)))
        return async () => {
          const made = await payouts.list()
          return made.length > before && made.every(({ status }) => status === 'succeeded')
        }
      }
    },
  },
  payout_funds: {
    streams: /^merchant-/,
    failures: everyClass,
    prepare: async (shop) => {
      const payouts = payoutsIn(shop)
      await payouts.earn()
      const destination = await payouts.destination()
      return async () => {
        const payout = await done(payouts.request(destination))
        return async () => (await payouts.payoutNow(payout)).status === 'succeeded'
      }
    },
  },
} as const satisfies Scenarios
