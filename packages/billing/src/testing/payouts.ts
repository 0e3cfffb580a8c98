import type { AssetId } from '@quittance/domain'
import type { NewPayout } from '../features/payouts/request.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { PayoutResource } from '../resources/payout.ts'
import { done, present } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'
import { command } from './shop.ts'
import type { StoreFront } from './store-front.ts'
import { units, type Wallet } from './wallets.ts'

type Named = { readonly id: string }

/** What tests do with the payouts of a shop. */
export const payoutsIn = (front: StoreFront) => {
  const { platform, merchantId, scope, billing, network } = front
  const usdc = network.usdc.assetId
  const now = (on: TestPlatform = platform): CommandContext => command(on, merchantId)
  const wanted = (destination: string, changed: Partial<NewPayout> = {}): NewPayout => ({
    assetId: usdc,
    amount: units(10),
    destination,
    memo: null,
    mayChangeMemo: true,
    metadata: {},
    ...changed,
  })
  const payoutNow = ({ id }: Named) => done(billing.payouts.retrieve(scope, id))
  return {
    now,
    wanted,
    payoutNow,
    /** A destination that its owner has proven. */
    destination: async (wallet: Wallet = front.payer): Promise<string> => {
      const context = now()
      const made = await done(
        billing.payouts.destinations.register(context, { address: wallet.account, memo: null, label: null }),
      )
      const signed = wallet.sign(present(made.challenge).transaction)
      await done(billing.payouts.destinations.verify(now(), made.id, signed))
      return made.id
    },
    /** Money that guests have paid for books. */
    earn: async (books = 1, asset: AssetId = usdc): Promise<void> => {
      for (let sold = 0; sold < books; sold++) {
        const { id } = await front.sell(asset)
        await front.pay(id, [units(10)], { asset })
      }
    },
    request: (destination: string, changed: Partial<NewPayout> = {}, context: CommandContext = now()) =>
      billing.payouts.request(context, wanted(destination, changed)),
    balance: async (asset: AssetId = usdc) => {
      const {
        asset_id: _,
        code: __,
        object: ___,
        environment: ____,
        platform_fees: _____,
        ...amounts
      } = present((await done(billing.payouts.balance(scope))).find(({ asset_id }) => asset_id === asset))
      return amounts
    },
    intentsOf: async (owner: string) => (await (await platform.shown()).intents.withKey(owner)).map(({ row }) => row),
    list: async () => (await billing.payouts.list({ ...scope, limit: 100 }, null)()).resources,
    /** What an account holds of an asset. */
    holds: async (account: Wallet['account'], asset: AssetId = usdc): Promise<bigint> => {
      const view = present(await done(network.gateway.accountView(account, [asset])))
      return asset === 'native' ? view.nativeBalance : (view.trustlines[0]?.balance ?? 0n)
    },
    /** The payout once a ledger has decided, and the worker has seen it. */
    ended: async (payout: Named): Promise<PayoutResource> => {
      for (let ledgers = 0; ledgers < 10; ledgers++) {
        await front.step()
        const known = await payoutNow(payout)
        if (known.status !== 'pending') return known
        network.wait(1000)
      }
      throw new Error(`${payout.id} does not end`)
    },
  }
}
