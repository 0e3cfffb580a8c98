import { hourMs, secondMs } from '@quittance/domain'
import { done } from '../outcomes.ts'
import { book, command } from '../shop.ts'
import { units } from '../wallets.ts'
import { ofStreams, type Scenarios } from './scenario.ts'

/** Loops over checkouts, and over what comes in. */
export const ofSessions = {
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
  invariants: {
    streams: /^product-/,
    failures: ofStreams,
    prepare: async (shop) => async () => {
      const { billing, platform, merchantId, services } = shop
      await done(billing.products.create(command(platform, merchantId), book()))
      const end = BigInt((await platform.logEnd()).events)
      return async () => {
        const isLookedAt = (await services.violations.checkedTo('testnet')) >= end
        return (
          isLookedAt &&
          (await services.setbacks.of('testnet', 'invariants')).every((each) => each.merchantId !== merchantId)
        )
      }
    },
  },
} as const satisfies Scenarios
