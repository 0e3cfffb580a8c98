import { stroops } from '@quittance/domain'
import { ledgerBooks, ourBooks } from '../../../billing/src/testing/books.ts'
import { done, present } from '../../../billing/src/testing/outcomes.ts'
import { type Invariant, type Settled, settledIntents, unlessSame } from './invariant.ts'

const watchedIn = ({ services, fixture }: Settled) => {
  const watched = services.readModels.watchedAccounts.all().map(({ row }) => row)
  return present(watched.find(({ account }) => account === fixture.account))
}

/** What the account held when its set-up ended, in stroops. */
const setUpOf = (assetId: string): bigint => (assetId === 'native' ? 100_000_000_000n : 0n)

export const moneyRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every credit of a watched account is named once, and the books say of each asset what the ledger says',
    broken: async (settled) => {
      const { network, services, fixture } = settled
      const { account, setUpThrough } = watchedIn(settled)
      const shown = async () => services.readModels
      const ours = await ourBooks({ shown }, fixture.merchantId)
      return unlessSame('our books', ours, await ledgerBooks(network, account, setUpThrough))
    },
  },
  {
    rule: 'the account holds what the books say',
    broken: async (settled) => {
      const { network, services, fixture } = settled
      const { account } = watchedIn(settled)
      const { sums } = await ourBooks({ shown: async () => services.readModels }, fixture.merchantId)
      const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => assetId)
      const held = await done(network.gateway.balances(assets.map((assetId) => ({ account, assetId }))))
      const paidOut = (assetId: string): bigint =>
        settledIntents(settled)
          .filter(({ details }) => details.action.assetId === assetId)
          .reduce((sum, { details }) => sum + details.action.amount, 0n)
      return held.flatMap(({ assetId, held: found }) =>
        unlessSame(assetId, found, stroops(setUpOf(assetId) + (sums[assetId] ?? 0n) - paidOut(assetId))),
      )
    },
  },
]
