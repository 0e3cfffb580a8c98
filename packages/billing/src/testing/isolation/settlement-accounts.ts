import { secondMs } from '@quittance/domain'
import { settlementSetUpId } from '@quittance/projections'
import { done, present } from '../outcomes.ts'
import { command } from '../shop.ts'
import type { StoreFront } from '../store-front.ts'
import { everyClass, type Scenarios } from './scenario.ts'

/** So many ledgers after a step of a set-up the same step may be taken anew. */
const untilForgotten = 12

/** What a shop accepts: its account is set up for that once `isDone`. */
const acceptedBy = (shop: StoreFront) => {
  const { platform, billing, merchantId, network } = shop
  const { usdc, xlm, eurc } = network
  return {
    accept: (...assets: ReadonlyArray<typeof usdc>) =>
      done(
        billing.settlementAccounts.accept(command(platform, merchantId), {
          assets: assets.map(({ assetId }) => assetId),
        }),
      ),
    isDone: async (): Promise<boolean> =>
      present(await (await platform.shown()).settlementSetUps.withId(settlementSetUpId(merchantId, 'testnet'))).row
        .isDone,
    fewer: [usdc, xlm],
    all: [usdc, xlm, eurc],
  }
}

/** The loop that sets settlement accounts up. */
export const ofSettlementAccounts = {
  set_up: {
    streams: /^(merchant|intent)-/,
    failures: everyClass,
    prepare: async (shop) => {
      const { accept, isDone, fewer, all } = acceptedBy(shop)
      await accept(...all)
      for (let ledgers = 0; ledgers < untilForgotten; ledgers++) {
        shop.network.wait(secondMs)
        await shop.step()
      }
      if (!(await isDone())) throw new Error('the account is not set up')
      return async () => {
        await accept(...fewer)
        // Accounts are looked at once with each ledger.
        shop.network.wait(secondMs)
        return isDone
      }
    },
  },
} as const satisfies Scenarios
