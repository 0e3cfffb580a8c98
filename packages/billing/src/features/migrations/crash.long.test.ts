import { asText, type ContractId, hourMs, minuteMs } from '@quittance/domain'
import { readMandates } from '@quittance/ledger'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { movingClub, presentWasm } from '../../testing/moving-club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { provenLog } from '../../testing/stores.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const mostAppends = 120
const request = { merchantId: null, by: asText('Ada'), reason: asText('version 2') }

describe('a process that dies while a subscriber moves to another contract', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let first: ContractId
  let second: ContractId
  beforeAll(async () => {
    moving = await movingClub()
    first = present(moving.now().network.seen().mandateContract)
    second = await moving.deployed(presentWasm)
  })
  afterAll(() => moving.close())

  const balance = async ({ account }: Wallet) => {
    const { gateway, usdc } = moving.now().network
    return present(present((await done(gateway.balances([{ account, assetId: usdc.assetId }])))[0]).held)
  }
  const requestOf = async (on: TestPlatform, id: string): Promise<string | null> =>
    (await (await on.shown()).subscriptions.withId(id))?.row.authorization.requested?.authorizationId ?? null
  /** Signs what is asked for, if anything is. */
  const sign = async (on: TestPlatform, id: string, wallet: Wallet): Promise<void> => {
    const asked = await requestOf(on, id)
    if (asked === null) return
    const { transaction_xdr } = await done(on.billing.payer.transaction(asked, wallet.account))
    await done(on.billing.payer.submit(asked, wallet.sign(transaction_xdr)))
  }
  const ledgers = async (on: TestPlatform, count: number, ms = 5_000): Promise<void> => {
    for (let passed = 0; passed < count; passed++) {
      moving.now().network.wait(ms)
      await done(on.worker.step)
    }
  }
  /** The migration begins, the period ends, the customer signs, and the old mandate ends; all by one process. */
  const live = async (on: TestPlatform, id: string, wallet: Wallet, endsAt: number): Promise<void> => {
    await done(on.billing.mandateContracts.migrate('testnet', request))
    await ledgers(on, 2)
    moving.now().network.wait(endsAt - moving.now().network.now() + minuteMs)
    await done(on.worker.step)
    await sign(on, id, wallet)
    await ledgers(on, 8)
  }

  it('leaves one mandate that counts and one charge for the period, after its death at every other append', async () => {
    let deaths = 0
    for (; deaths < mostAppends; deaths += 2) {
      await moving.moved(first)
      const club = moving.now()
      const wallet = await club.wallets.wallet(800 + deaths)
      const checkout = await club.join(await club.club(), `c${deaths}@crash.example`)
      await club.enrol(checkout, wallet)
      const id = present((await club.checkout(checkout)).subscription_id)
      const { authorization, covered } = await moving.subscription(id)
      await moving.moved(second)
      const had = await balance(wallet)
      const { network, folder } = moving.now()
      const dying = await openPlatform(network, folder.path, dyingAfter(deaths + 1))
      const isAlive = await survived(live(dying, id, wallet, covered.period.end))
      await dying.close()

      const { platform } = moving.now()
      // A person runs the command again where it did not get as far as to record the migration.
      await platform.billing.mandateContracts.migrate('testnet', request)()
      network.wait(Math.max(5_000, covered.period.end - network.now() + minuteMs))
      await ledgers(platform, 3)
      const { contract } = (await moving.subscription(id)).authorization.mandate
      if (contract === first) await sign(platform, id, wallet)
      // What died on its way is proven dead within minutes, and tried again.
      await ledgers(platform, 14, minuteMs)
      // The end of a mandate is sent again a day later.
      await ledgers(platform, 1, 25 * hourMs)
      await ledgers(platform, 4)
      const ended = await moving.subscription(id)
      expect({ deaths, ...ended }).toMatchObject({
        deaths,
        status: 'active',
        covered: { kind: 'paid', n: 1 },
        retired: [],
        failedPaymentCount: 0,
        authorization: { mandate: { contract: second } },
      })
      const { mandateId, customer } = authorization.mandate
      const key = { contract: first, mandate: mandateId, customer, assetId: network.usdc.assetId }
      expect((await done(readMandates(network.gateway)([key])))[0]?.record?.isCancelled).toBe(true)
      expect(had - (await balance(wallet))).toBe(units(10))
      const { events } = await done(platform.log.readStream(`subscription-${id}`))
      const asked = events.filter(({ type }) => type === 'AuthorizationRequested')
      expect(asked).toHaveLength(1)
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(10)
    expect(deaths).toBeLessThan(mostAppends)
    expect(await moving.now().exceptions()).toEqual([])
    expect(await provenLog(moving.now().folder.path)).toMatchObject({ ok: true })
  })
})
