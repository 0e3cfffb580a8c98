import { count, hourMs } from '@quittance/domain'
import type { WatchedMandate } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { type PayerWatch, payerWatch, watchPayers } from './watch-payers.ts'

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

  /** Subscriptions that owe their first charge, by their ids, oldest debt first. Their wallets are empty. */
  const owingWallets = async (numbers: ReadonlyArray<number>): Promise<ReadonlyMap<string, Wallet>> => {
    const product = await club.club({ trialDays: count(1) })
    const wallets = new Map<string, Wallet>()
    for (const number of numbers) {
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
    return new Map(owing.map((id) => [id, present(wallets.get(id))]))
  }
  /** Looks at the wallets after another ledger, and answers which subscriptions are to be charged again. */
  const look = async (ids: Iterable<string>, most: number, watch: PayerWatch): Promise<ReadonlyArray<boolean>> => {
    const ingested = await done(club.network.gateway.latestLedger())
    await done(() => watchPayers({ services: club.services, ingested }, 'testnet', most, watch))
    const states = await Promise.all([...ids].map(club.subscription))
    return states.map((state) => state.status === 'past_due' && state.retryRequestedAt !== null)
  }

  it('are read in turn where there are more than a ledger has room for, and from the oldest debt again after the newest', async () => {
    const owing = await owingWallets([11, 12, 13])
    const [first, second, third] = [...owing.values()]
    const watch = payerWatch(club.network)
    const charged = () => look(owing.keys(), 2, watch)
    expect(await charged()).toEqual([false, false, false])
    send(club.other, present(first), units(100))
    send(club.other, present(third), units(100))
    expect(await charged()).toEqual([false, false, true])
    send(club.other, present(second), units(100))
    expect(await charged()).toEqual([true, true, true])
    expect(watch.after).toBeNull()
  })

  it('are decoded again only once a ledger has written them', async () => {
    const owing = await owingWallets([11, 12])
    const [first] = owing.values()
    const { read, ...memory } = payerWatch(club.network)
    let decoded = 0
    const counted: PayerWatch['read'] = (keys) =>
      TE.map((mandates: ReadonlyArray<WatchedMandate>) =>
        mandates.map(({ standing, writtenIn }) => ({
          writtenIn,
          standing: () => {
            decoded += 1
            return standing()
          },
        })),
      )(read(keys))
    const watch = { ...memory, read: counted }
    const decodedBy = async (): Promise<number> => {
      decoded = 0
      await look(owing.keys(), 2, watch)
      return decoded
    }
    expect(await decodedBy()).toBe(2)
    club.network.sandbox.close()
    expect(await decodedBy()).toBe(0)
    send(club.other, present(first), units(1))
    expect(await decodedBy()).toBe(1)
    expect(await decodedBy()).toBe(0)
  })
})
