import { createBilling } from '../../face/billing.ts'
import { exceptionsIn } from '../exceptions.ts'
import { inTrouble } from '../merchant-trouble.ts'
import { done, refused } from '../outcomes.ts'
import { refundsIn, wantedRefund } from '../refunds.ts'
import { units } from '../wallets.ts'
import { eventsOf, everyClass, ofStreams, type Scenarios } from './scenario.ts'

/** Loops that complete refunds, returns and their intents. */
export const ofRefunds = {
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
    failures: everyClass,
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
    failures: everyClass,
    prepare: async (shop) => async () => {
      const exceptions = exceptionsIn(shop)
      const hash = shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(3)], memo: null })
      return async () => {
        const found = (await exceptions.all()).find((each) => each.transaction_hash === hash)
        return found?.return_status === 'succeeded'
      }
    },
  },
} as const satisfies Scenarios
