import { count, hourMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { payerWatch, watchPayers } from './watch-payers.ts'

const dayMs = 24 * hourMs

describe('the wallets of subscriptions with debts', () => {
  let club: Club
  beforeEach(async () => {
    club = await openClub()
  })
  afterEach(() => club.close())

  const send = (from: Wallet, to: Wallet, amount: ReturnType<typeof units>): void => {
    from.pay({ to: to.account, asset: club.network.usdc.assetId, parts: [amount], memo: null })
    club.network.sandbox.close()
  }
  const spend = async (wallet: Wallet): Promise<void> => {
    const view = await done(club.network.gateway.accountView(wallet.account, [club.network.usdc.assetId]))
    send(wallet, club.other, present(present(view).trustlines[0]).spendable)
  }

  it('are read in turn where there are more than a ledger has room for, and from the oldest debt again after the newest', async () => {
    const product = await club.club({ trialDays: count(1) })
    const wallets = new Map<string, Wallet>()
    for (const number of [11, 12, 13]) {
      const wallet = await club.wallets.wallet(number)
      const checkout = await club.join(product, `r${number}@club.example`)
      await club.enrol(checkout, wallet)
      wallets.set(present((await club.checkout(checkout)).subscription_id), wallet)
      await spend(wallet)
    }
    await club.pass(2 * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()

    const due = club.services.readModels.subscriptionDebts.due('testnet', Number.MAX_SAFE_INTEGER)
    const owing = (await Array.fromAsync(due)).map(({ id }) => id)
    expect(owing.toSorted()).toEqual([...wallets.keys()].toSorted())

    const watch = payerWatch(club.network)
    /** How many are charged again because their wallet can pay now, after another ledger. */
    const charged = async (): Promise<ReadonlyArray<boolean>> => {
      const ingested = await done(club.network.gateway.latestLedger())
      await done(() => watchPayers({ services: club.services, ingested }, 'testnet', 2, watch))
      const states = await Promise.all(owing.map(club.subscription))
      return states.map((state) => state.status === 'past_due' && state.retryRequestedAt !== null)
    }
    const [first, second, third] = owing.map((id) => present(wallets.get(id)))
    expect(await charged()).toEqual([false, false, false])
    send(club.other, present(first), units(100))
    send(club.other, present(third), units(100))
    expect(await charged()).toEqual([false, false, true])
    send(club.other, present(second), units(100))
    expect(await charged()).toEqual([true, true, true])
    expect(watch.after).toBeNull()
  })
})
